/** Databases that ignore case and accents return other rows than requested: no user is signed in as another. */
import { afterEach, describe, expect, test } from 'vitest'
import type { Adapter, AdapterAccount, AdapterUser } from '../../src/adapters/index.ts'
import MemoryAdapter from '../../src/adapters/memory.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import { enter, oidc, passwordConfig } from '../config.ts'
import { databaseSite, errorTypes } from '../database.ts'
import { submitAddress, click, locationOf, mailSite, requestLink } from '../email.ts'
import { readWith, SESSION, cookieValue } from '../sessions.ts'

const op = await issuer({ algorithm: 'ES256' })
const HOME = 'https://app.test'

afterEach(() => op.reset())

/** How such a database compares: without case, accents and compatibility characters. */
function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

/** A memory adapter with such comparisons; `stored` compares exactly. */
function collating(): { adapter: Required<Adapter>; stored: Required<Adapter> } {
  const stored = MemoryAdapter()
  const users: AdapterUser[] = []
  const accounts: AdapterAccount[] = []
  const tokens: string[] = []
  const links: { identifier: string; token: string }[] = []
  const like = (left: string, right: string) => folded(left) === folded(right)
  const adapter: Required<Adapter> = {
    ...stored,
    async createUser(user) {
      const row = await stored.createUser(user)
      users.push(row)
      return row
    },
    linkAccount(account) {
      accounts.push(account)
      return stored.linkAccount(account)
    },
    createSession(session) {
      tokens.push(session.sessionToken)
      return stored.createSession(session)
    },
    createVerificationToken(link) {
      links.push(link)
      return stored.createVerificationToken(link)
    },
    getUser: (id) => stored.getUser(users.find((user) => like(user.id, id))?.id ?? id),
    getUserByEmail: (email) =>
      stored.getUserByEmail(users.find((user) => like(user.email, email))?.email ?? email),
    getUserByAccount: (key) =>
      stored.getUserByAccount(
        accounts.find(
          (each) =>
            each.provider === key.provider && like(each.providerAccountId, key.providerAccountId),
        ) ?? key,
      ),
    updateAccount(changes) {
      const { provider, providerAccountId } =
        accounts.find((each) => like(each.providerAccountId, changes.providerAccountId)) ?? changes
      return stored.updateAccount({ ...changes, provider, providerAccountId })
    },
    getSessionAndUser: (token) =>
      stored.getSessionAndUser(tokens.find((each) => like(each, token)) ?? token),
    useVerificationToken: (key) =>
      stored.useVerificationToken(links.find((each) => like(each.token, key.token)) ?? key),
    async transaction(work) {
      return work(adapter)
    },
  }
  return { adapter, stored }
}

describe('over a database that ignores case and accents', () => {
  test('a session is not found by a token in other letters', async () => {
    const { adapter } = collating()
    const { tab, config, log } = databaseSite(op, {
      adapter,
      config: { session: { generateSessionToken: () => 'Token-With-Letters' } },
    })
    await tab.signIn('op')
    expect(cookieValue(tab)).toBe('Token-With-Letters')
    expect(await tab.session()).not.toBeNull()
    const other = `${SESSION}=token-with-letters`
    expect((await readWith(other, config)).session).toBeNull()
    expect(log.lines).toContainEqual(['warn', 'adapter-other-row', expect.any(String)])
  })

  test('an account whose id is spelled in other letters is another account', async () => {
    const { adapter, stored } = collating()
    const { tab, open, log } = databaseSite(op, { adapter })
    await tab.signIn('op', { sub: 'AbC' })
    const key = { provider: 'op', providerAccountId: 'AbC' }
    const before = await stored.getAccount(key.providerAccountId, key.provider)
    const attacker = open()
    const response = await attacker.signIn('op', { sub: 'abc' })
    expect(locationOf(response)).toContain('error=OAuthAccountNotLinked')
    expect(attacker.cookies.get(SESSION)).toBeUndefined()
    expect(await stored.getAccount(key.providerAccountId, key.provider)).toEqual(before)
    expect(errorTypes(log)).toEqual(['OAuthAccountNotLinked'])
  })

  test.each(['kim@ex\u00e4mple.com', '\u212aim@example.com', 'kim@example.com\u0301'])(
    'a verified address does not find the user who has %j',
    async (email) => {
      const { adapter, stored } = collating()
      const victim = await adapter.createUser({ id: 'victim', email, emailVerified: new Date() })
      const { tab } = databaseSite(op, {
        adapter,
        provider: { allowDangerousEmailAccountLinking: true },
      })
      await tab.signIn('op', { sub: 'kim', email: 'kim@example.com', email_verified: true })
      expect(await stored.listAccounts(victim.id)).toEqual([])
      const { config, mails } = mailSite({}, { adapter })
      const link = await requestLink(browser(config), { mails }, 'kim@example.com')
      await click(browser(config), link)
      expect(await stored.listSessions(victim.id)).toEqual([])
    },
  )

  test('a user is found by the stored case of an address', async () => {
    const { adapter, stored } = collating()
    await adapter.createUser({ id: 'kim', email: 'Kim@Example.com', emailVerified: new Date() })
    const site = mailSite({}, { adapter })
    const tab = browser(site.config)
    expect(locationOf(await click(tab, await requestLink(tab, site, 'kim@example.com')))).toBe(HOME)
    expect(await stored.listSessions('kim')).toHaveLength(1)
  })

  test('an id that authorize returns does not find another user', async () => {
    const { adapter, stored } = collating()
    await adapter.createUser({ id: 'Victim', email: 'v@example.com', emailVerified: null })
    const { config } = passwordConfig(
      { adapter, session: { strategy: 'database' } },
      { authorize: () => ({ id: 'victim' }) },
    )
    const tab = browser(config)
    expect(locationOf(await enter(tab))).toContain('error=Configuration')
    expect(await stored.listSessions('Victim')).toEqual([])
  })

  test.each([
    ['another token', { token: 'another' }],
    ['another address', { identifier: 'eve@example.com' }],
  ])('a magic link is not used when the row has %s', async (_name, other) => {
    const expires = new Date(9e12)
    const useVerificationToken = (key: object) => ({ ...key, expires, ...other })
    const site = mailSite({}, { methods: { useVerificationToken } })
    const tab = browser(site.config)
    expect(locationOf(await click(tab, await requestLink(tab, site)))).toContain('Verification')
    expect(tab.cookies.get(SESSION)).toBeUndefined()
  })

  test('an eviction leaves accounts of other users alone', async () => {
    const { stored } = collating()
    await stored.createUser({ id: 'Ada', email: 'ada@example.com', emailVerified: null })
    await stored.createUser({ id: 'ada', email: 'other@example.com', emailVerified: null })
    for (const userId of ['Ada', 'ada'])
      await stored.linkAccount({ type: 'oidc', provider: 'op', providerAccountId: userId, userId })
    const listAccounts = async () =>
      (await Promise.all(['Ada', 'ada'].map((id) => stored.listAccounts(id)))).flat()
    const site = mailSite({}, { adapter: stored, methods: { listAccounts } })
    const tab = browser(site.config)
    await click(tab, await requestLink(tab, site))
    expect(await stored.listAccounts('Ada')).toEqual([])
    expect(await stored.listAccounts('ada')).toHaveLength(1)
  })
})

describe('an address that case folding turns into another', () => {
  const LOOKALIKES = ['\u212aim@example.com', 'k\u0131m@example.com', 'k\u0130m@example.com']

  test.each(LOOKALIKES)('%j is not verified and links nothing', async (email) => {
    const stored = MemoryAdapter()
    const victim = { id: 'victim', email: 'kim@example.com', emailVerified: new Date() }
    await stored.createUser(victim)
    // The worst case: the database returns the victim for every address.
    const adapter = { ...stored, getUserByEmail: () => ({ ...victim, email }) }
    for (const each of [stored, adapter]) {
      const { tab } = databaseSite(op, {
        adapter: each,
        config: { providers: [oidc(op, { allowDangerousEmailAccountLinking: true })] },
      })
      await tab.signIn('op', { sub: 'eve', email, email_verified: true })
      expect(await stored.listAccounts(victim.id)).toEqual([])
      expect((await stored.getUserByEmail(email))?.emailVerified ?? null).toBeNull()
    }
  })

  test.each(LOOKALIKES)('%j receives no magic link', async (email) => {
    const site = mailSite()
    const response = await submitAddress(browser(site.config), email)
    expect(locationOf(response)).toContain('error=EmailSignInError')
    expect(site.mails).toEqual([])
  })
})
