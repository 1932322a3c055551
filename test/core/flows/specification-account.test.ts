import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { issuer } from '../../../src/testing/index.ts'
import type { Values } from '../../../src/testing/index.ts'
import { expectSignedIn, site } from '../../oauth.ts'
import { stopClock } from '../../sessions.ts'

const op = await issuer()

beforeEach(stopClock)
afterEach(() => {
  op.reset()
  vi.useRealTimers()
})

/** The account that the application receives for a token response with these additional members. */
async function accountFor(members: Values): Promise<unknown> {
  op.misbehaviour.token = (body) => ({ ...body, ...members })
  const on = site(op, { provider: { type: 'oauth' } })
  await expectSignedIn(on, await on.tab.signIn('op'))
  return on.signedIn[0]?.account
}

test('an account contains every member of the token response', async () => {
  const members = {
    token_type: 'BEARER',
    refresh_token: 'r',
    scope: 'user',
    authorization_details: [{ type: 'payment', actions: ['read'] }],
    session_state: 's',
    refresh_token_expires_in: 60,
  }
  expect(await accountFor(members)).toEqual({
    ...members,
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
