/** Account linking by e-mail address. */
import { afterEach, describe, expect, test } from 'vitest'
import type { AuthConfig } from '../../../src/index.ts'
import { issuer } from '../../../src/testing/index.ts'
import type { Values } from '../../../src/testing/index.ts'
import { oidc } from '../../config.ts'
import { ADA, databaseSite } from '../../database.ts'
import { oauth } from '../../oauth.ts'

const op = await issuer({ algorithm: 'ES256' })
/** The claims of Ada. */
const CLAIMS = { sub: 'ada', name: ADA.name, email: ADA.email, picture: ADA.image }
const BOB = { sub: 'bob', name: 'Bob', email: 'bob@example.com' }

afterEach(() => op.reset())

describe('an e-mail address', () => {
  test('is trusted for a plain OAuth provider if the application allows it', async () => {
    const trusting: AuthConfig['providers'] = [
      oidc(op),
      oauth(op, {
        id: 'plain',
        allowDangerousEmailAccountLinking: true,
        profile: ({ sub, name }) => ({ id: String(sub), name: name ?? null, email: ADA.email }),
      }),
    ]
    const site = databaseSite(op, { config: { providers: trusting } })
    await site.tab.signIn('op')
    const sign = (person: Values) => site.open().signIn('plain', person)
    await sign({ ...CLAIMS, sub: '7', email_verified: true })
    const key = { provider: 'plain', providerAccountId: '7' }
    expect((await site.stored.getUserByAccount?.(key))?.email).toBe(ADA.email)
    const refused = await sign({ sub: '8', email: 'mallory@example.com', email_verified: true })
    expect(refused.headers.get('location')).toContain('error=OAuthAccountNotLinked')
  })

  test('moves no account when it changes at the provider', async () => {
    const site = databaseSite(op)
    await site.open().signIn('op', BOB)
    await site.tab.signIn('op')
    const again = site.open()
    await again.signIn('op', { ...CLAIMS, email: BOB.email, name: 'Ada' })
    expect((await again.session())?.user).toEqual(ADA)
    expect(site.log.errors).toEqual([])
  })

  test('matches in any letter case', async () => {
    const site = databaseSite(op)
    await site.tab.signIn('op', { ...CLAIMS, email: 'Ada@Example.com' })
    expect(await site.stored.getUserByEmail?.(ADA.email)).not.toBeNull()
    const elsewhere = site.open()
    const response = await elsewhere.signIn('other', { sub: 'eve', email: 'ADA@EXAMPLE.COM' })
    expect(response.headers.get('location')).toContain('error=OAuthAccountNotLinked')
  })

  test.each(['', ' '])('counts as missing when it is blank (%j)', async (email) => {
    const site = databaseSite(op)
    await site.tab.signIn('op', { sub: 'ada', email })
    const elsewhere = site.open()
    await elsewhere.signIn('op', { sub: 'bob', email })
    expect(site.log.errors).toEqual([])
    expect((await site.tab.session())?.user?.email).toBeNull()
    expect(await elsewhere.session()).not.toBeNull()
  })

  test('matches no user when it is missing: each account becomes a user', async () => {
    const site = databaseSite(op)
    await site.tab.signIn('op', { sub: 'ada' })
    const elsewhere = site.open()
    await elsewhere.signIn('other', { sub: 'ada' })
    expect(site.called()).not.toContain('getUserByEmail')
    const ids = await Promise.all(
      ['op', 'other'].map((provider) =>
        site.stored.getUserByAccount?.({ provider, providerAccountId: 'ada' }),
      ),
    )
    expect(new Set(ids.map((user) => user?.id)).size).toBe(2)
    expect(site.log.errors).toEqual([])
  })
})
