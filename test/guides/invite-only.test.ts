/** docs/guides/invite-only.md */
import { beforeEach, expect, test } from 'vitest'
import MemoryAdapter from '../../src/adapters/memory.ts'
import type { CallbacksOptions } from '../../src/index.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import { configFor } from '../config.ts'
import { openGuide } from './guide.ts'

interface Invitations {
  readonly invitations: {
    add(email: string): Promise<void>
    revoke(email: string): Promise<void>
  }
}

const guide = openGuide('invite-only')
const op = await issuer()
const { signIn } = await guide.load<Pick<CallbacksOptions, 'signIn'>>('admit.ts')
const { invitations } = await guide.load<Invitations>('invitations.ts')

const REJECTED = 'https://app.test/invitation-required'

beforeEach(() => op.reset())

/** Where a sign-in leads, and how many users are stored after it. */
async function enter(email: string, isVerified: boolean): Promise<[string | null, boolean]> {
  const adapter = MemoryAdapter()
  const { config } = configFor(op, { adapter, callbacks: { signIn } })
  const tab = browser(config, { issuer: op })
  const response = await tab.signIn('op', { sub: 'ada', email, email_verified: isVerified })
  return [response.headers.get('location'), (await adapter.getUserByEmail(email)) !== null]
}

test('an invited person signs in, in any spelling of the address', async () => {
  await invitations.add(' Ada@Example.com')
  expect(await enter('ada@example.com', true)).toEqual(['https://app.test', true])
})

test('other people, unverified addresses and revoked invitations write nothing', async () => {
  expect(await enter('eve@example.com', true)).toEqual([REJECTED, false])
  await invitations.add('bob@example.com')
  expect(await enter('bob@example.com', false)).toEqual([REJECTED, false])
  await invitations.revoke('bob@example.com')
  expect(await enter('bob@example.com', true)).toEqual([REJECTED, false])
})
