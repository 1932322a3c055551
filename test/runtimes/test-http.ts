/** Runs the 27 checks against a site. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { RunningSite } from '../frameworks/conformance/site.ts'
import { rawClient } from '../frameworks/raw-client.ts'
import { httpChecks } from './http-checks.ts'
import type { HttpCheck } from './http-checks.ts'
import { limitChecks } from './limit-checks.ts'

export const checks: readonly HttpCheck[] = [...httpChecks, ...limitChecks]

/** Declares the checks; the site is started before the first and stopped after the last one. */
export function testHttp(start: () => Promise<RunningSite>): void {
  let site: RunningSite | undefined
  beforeAll(async () => {
    site = await start()
  })
  afterAll(() => site?.stop())

  for (const { title, facts, expected } of checks)
    test(title, async () => {
      const origin = site?.origin ?? ''
      const user = rawClient(origin)
      onTestFinished(() => user.close())
      expect(await facts(user, origin)).toEqual(expected)
    })
}
