/** Unlinking accounts and deleting a user on a site with database sessions, over any adapter (acceptance E1 and E3). */
import { expect, test } from 'vitest'
import { listAccounts, removeUser, unlinkAccount } from '../../src/account.ts'
import type { Adapter } from '../../src/adapters/index.ts'
import { issuer } from '../../src/testing/index.ts'
import { signedIn } from '../database.ts'
import { headersOf, userIdOf } from '../passkeys.ts'
import { testEmailChange } from './change-email.ts'

const op = await issuer({ algorithm: 'ES256' })

/** A new user, who is signed in with one of two accounts. */
async function siteOver(adapter: Adapter) {
  const config = { session: { strategy: 'database' }, account: {} } as const
  const site = await signedIn(op, { adapter, config })
  const { tab, stored } = site
  await tab.post('signout')
  const sub = crypto.randomUUID()
  const email = `${sub}@example.com`
  await tab.signIn('op', { sub, email })
  const userId = await userIdOf(stored, email)
  const keys = [
    { provider: 'op', providerAccountId: sub },
    { provider: 'other', providerAccountId: `second ${sub}` },
  ] as const
  await stored.linkAccount?.({ ...keys[1], type: 'oidc', userId })
  return { ...site, userId, email, keys, headers: () => headersOf(tab) }
}

export function testAccounts(adapter: () => Adapter): void {
  testEmailChange(adapter)

  test('keeps an account when the last two are unlinked at the same time', async () => {
    const { config, stored, userId, keys, headers } = await siteOver(adapter())
    const before = (await stored.listAccounts?.(userId)) ?? []
    for (let round = 0; round < 10; round++) {
      const outcomes = await Promise.allSettled(
        keys.map((key) => unlinkAccount(headers(), config, key)),
      )
      for (const outcome of outcomes)
        if (outcome.status === 'rejected')
          expect(outcome.reason).toMatchObject({ type: 'LastSignInMethod' })
      const left = (await stored.listAccounts?.(userId)) ?? []
      expect(left.length).toBeGreaterThan(0)
      for (const account of before)
        if (!left.some(({ provider }) => provider === account.provider))
          await stored.linkAccount?.(account)
    }
    const { value } = await listAccounts(headers(), config)
    expect(value?.map(({ provider }) => provider)).toEqual(['op', 'other'])
  })

  test('leaves nothing of a user who deletes themselves, and all of another one', async () => {
    const { config, stored, userId, email, keys, headers } = await siteOver(adapter())
    const other = await siteOver(adapter())
    await removeUser(headers(), config)
    expect(await stored.getUser?.(userId)).toBeNull()
    expect(await stored.getUserByEmail?.(email)).toBeNull()
    for (const key of keys) expect(await stored.getUserByAccount?.(key)).toBeNull()
    expect(await stored.listAccounts?.(userId)).toEqual([])
    expect(await stored.listSessions?.(userId)).toEqual([])
    expect((await listAccounts(other.headers(), other.config)).value).toHaveLength(2)
  })
}
