/** Some platforms have no timers outside of a request. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { issuer } from '../../../src/testing/index.ts'
import { hang, signedIn } from '../../database.ts'

const op = await issuer({ algorithm: 'ES256' })

test('a session read responds with 503 at once if no timer can limit the adapter call', async () => {
  const { tab, faults } = await signedIn(op)
  faults.getSessionAndUser = hang
  const timer = vi.spyOn(globalThis, 'setTimeout').mockImplementation(() => {
    throw new Error('No timers here.')
  })
  onTestFinished(() => timer.mockRestore())
  const response = await tab.request('session')
  expect(response.status).toBe(503)
  expect(await response.json()).toMatchObject({ error: 'SessionUnavailable', retryable: true })
})
