/** Replaces the global `Response` with one that keeps the `Headers` object it is given, as some servers do. */
import { afterAll, expect } from 'vitest'
import { installKeepingResponse, keepsHeaders } from './header-keeping-response.ts'

if (process.env['RESPONSE'] === 'keeps headers') {
  installKeepingResponse()
  afterAll(() => expect(keepsHeaders()).toBe(true))
}
