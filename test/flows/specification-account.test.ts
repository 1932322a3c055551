import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { issuer } from '../../src/testing/index.ts'
import type { Values } from '../../src/testing/index.ts'
import { expectSignedIn, site } from '../oauth.ts'
import { stopClock } from '../sessions.ts'

const op = await issuer()

beforeEach(stopClock)
afterEach(() => {
  op.reset()
  vi.useRealTimers()
})

/** The account that the application is told about when the token endpoint says this besides. */
async function accountFor(said: Values): Promise<unknown> {
  op.misbehaviour.token = (body) => ({ ...body, ...said })
  const on = site(op, { provider: { type: 'oauth' } })
  await expectSignedIn(on, await on.tab.signIn('op'))
  return on.signedIn[0]?.account
}

// Covers: account.access-token, account.authorization-details, account.expires-in, account.refresh-token
// Covers: account.scope, account.token-type
test('an account has everything that the token endpoint said', async () => {
  const said = {
    token_type: 'BEARER',
    refresh_token: 'r',
    scope: 'user',
    authorization_details: [{ type: 'payment', actions: ['read'] }],
    session_state: 's',
    refresh_token_expires_in: 60,
  }
  expect(await accountFor(said)).toEqual({
    ...said,
    provider: 'op',
    type: 'oauth',
    providerAccountId: 'ada',
    token_type: 'bearer',
    access_token: expect.any(String),
    id_token: expect.any(String),
    expires_in: 3600,
    expires_at: Date.now() / 1000 + 3600,
  })
})
