/** Managing passkeys on a site with database sessions, over any adapter. */
import { expect, test } from 'vitest'
import type { Adapter } from '../../src/adapters/index.ts'
import { listPasskeys, removePasskey, renamePasskey } from '../../src/passkeys.ts'
import { issuer } from '../../src/testing/index.ts'
import { signedIn } from '../database.ts'
import { addPasskey, headersOf, storedIds, userIdOf, withPasskeys } from '../passkeys.ts'

const op = await issuer({ algorithm: 'ES256' })

/** A site with a new user, who is signed in and whose only sign-in methods are two passkeys. */
async function siteOver(adapter: Adapter) {
  const { config, tab, stored, log } = await signedIn(op, {
    adapter,
    config: { session: { strategy: 'database' } },
  })
  await tab.post('signout')
  const sub = crypto.randomUUID()
  const email = `${sub}@example.com`
  await tab.signIn('op', { sub, email })
  const userId = await userIdOf(stored, email)
  for (const account of (await stored.listAccounts?.(userId)) ?? [])
    await stored.unlinkAccount?.(account)
  const ids = [await addPasskey(stored, userId), await addPasskey(stored, userId)] as const
  return { config: withPasskeys(config), stored, log, userId, ids, headers: headersOf(tab) }
}

/** What an adapter with the optional columns must support. */
export function testPasskeys(adapter: () => Adapter): void {
  test('lists, renames and removes passkeys', async () => {
    const { config, ids, headers } = await siteOver(adapter())
    const [first, second] = ids
    const { value: before } = await listPasskeys(headers, config)
    expect(before?.map(({ credentialID }) => credentialID).sort()).toEqual([...ids].sort())
    for (const { created } of before ?? [])
      expect(Date.now() - (created?.getTime() ?? 0)).toBeLessThan(60_000)
    expect((await renamePasskey(headers, config, first, '🦊')).value).toMatchObject({ name: '🦊' })
    expect((await removePasskey(headers, config, second)).value?.credentialID).toBe(second)
    const { value: after } = await listPasskeys(headers, config)
    expect(after).toMatchObject([{ credentialID: first, name: '🦊' }])
  })

  testPasskeyRemoval(adapter)
}

/** What every adapter of this package must support, with and without transactions and optional columns. */
export function testPasskeyRemoval(adapter: () => Adapter): void {
  test('keeps a passkey when the last two are removed at the same time', async () => {
    const { config, stored, userId, ids, headers } = await siteOver(adapter())
    const before = await Promise.all(ids.map((id) => stored.getAuthenticator?.(id)))
    for (let round = 0; round < 10; round++) {
      const outcomes = await Promise.allSettled(ids.map((id) => removePasskey(headers, config, id)))
      const removed = outcomes.filter(({ status }) => status === 'fulfilled')
      for (const outcome of outcomes)
        if (outcome.status === 'rejected')
          expect(outcome.reason).toMatchObject({ type: 'LastSignInMethod' })
      const left = await storedIds(stored, userId)
      expect(left.length).toBeGreaterThan(0)
      expect(left.length + removed.length).toBe(2)
      for (const passkey of before)
        if (passkey && !left.includes(passkey.credentialID)) {
          const { providerAccountId } = passkey
          const type = 'webauthn'
          await stored.linkAccount?.({ provider: 'passkey', providerAccountId, type, userId })
          await stored.createAuthenticator?.(passkey)
        }
    }
    expect(await Promise.all(ids.map((id) => stored.getAuthenticator?.(id)))).toEqual(before)
  })
}
