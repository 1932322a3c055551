/** `migrateSessions` keeps users of `next-auth` signed in. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import { SessionTooLarge } from '../../../src/errors.ts'
import type { AuthConfig, CallbacksOptions } from '../../../src/index.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { configFor, enter, passwordConfig, SECRET } from '../../config.ts'
import { recordCalls } from '../../database.ts'
import { DAY, pass, readWith, SESSION, stopClock } from '../../sessions.ts'
import { OLD_PLAIN, OLD_SECURE, oldCookie, outcomeOf, signInWithPeer } from './next-auth-site.ts'
import type { SharedConfig } from './next-auth-site.ts'

afterEach(() => void vi.useRealTimers())

const op = await issuer()
const OLD_SECRET = 'the secret before this one, also long enough'
const ADA = { sub: '1', name: 'Ada Lovelace', email: 'ada@example.com' }
const SIGNED_IN = { user: { name: 'Ada Lovelace' } }

/** Names of the session cookies in a browser. */
function sessionCookies(tab: Browser): string[] {
  const names = tab.cookies.all().map(({ name }) => name)
  return names.filter((name) => /session/.test(name)).sort()
}

/** A migrated site, and a browser with a `next-auth` session of Ada. */
async function migratedSite(
  shared: SharedConfig = {},
  {
    origin = 'https://app.test',
    ...more
  }: Pick<AuthConfig, 'adapter' | 'callbacks' | 'events' | 'session'> & { origin?: string } = {},
) {
  const { claims: _claims, ...both } = shared
  const { callbacks = {}, ...rest } = more
  const { config, log } = configFor(op, { migrateSessions: true, ...both, ...rest, callbacks })
  const tab = browser(config, { issuer: op, origin })
  await signInWithPeer(tab, op, shared)
  return { tab, config, log, before: sessionCookies(tab) }
}

const NOTES = { notes: 'n'.repeat(6000) }
const domain = { sessionToken: { options: { domain: 'app.test' } } }
const named = { sessionToken: { name: 'my-session' } }

describe('a user with a next-auth session', () => {
  test.each<[string, SharedConfig, string[], string[], string?]>([
    ['on https', {}, [OLD_SECURE], [SESSION]],
    ['on http', {}, [OLD_PLAIN], ['lib.session-token'], 'http://localhost:3000'],
    [
      'with a chunked session cookie',
      { claims: NOTES },
      [`${OLD_SECURE}.0`, `${OLD_SECURE}.1`, `${OLD_SECURE}.2`],
      [`${SESSION}.0`, `${SESSION}.1`, `${SESSION}.2`],
    ],
    ['with cookies of a domain', { cookies: domain }, [OLD_SECURE], ['__Secure-lib.session-token']],
    ['with a named cookie', { cookies: named }, ['my-session'], ['my-session']],
    [
      'with a named and chunked cookie',
      { cookies: named, claims: NOTES },
      ['my-session.0', 'my-session.1', 'my-session.2'],
      ['my-session.0', 'my-session.1', 'my-session.2'],
    ],
    [
      'with cookies for http on https',
      { useSecureCookies: false },
      [OLD_PLAIN],
      ['lib.session-token'],
    ],
    ['with a session in the database', { adapter: MemoryAdapter() }, [OLD_SECURE], [SESSION]],
    [
      'with a named database cookie',
      { adapter: MemoryAdapter(), cookies: named },
      ['my-session'],
      ['my-session'],
    ],
  ])(
    'stays signed in %s and loses the next-auth cookies',
    async (_name, shared, old, own, origin) => {
      const { tab, before, log } = await migratedSite(shared, origin ? { origin } : {})
      expect(before).toEqual(old)
      expect(await tab.session()).toMatchObject(SIGNED_IN)
      expect(sessionCookies(tab)).toEqual(own)
      expect(await tab.session()).toMatchObject(SIGNED_IN)
      expect(log.errors).toEqual([])
    },
  )

  test('stays signed in when the option is removed later', async () => {
    const { tab, config } = await migratedSite()
    await tab.session()
    const { migrateSessions: _done, ...after } = config
    const cookie = tab.cookies.all().map(({ name, value }) => `${name}=${value}`)
    expect((await readWith(cookie.join('; '), after)).session).toMatchObject(SIGNED_IN)
  })

  test('is passed to the callbacks with all claims of the token', async () => {
    const jwt = vi.fn<NonNullable<CallbacksOptions['jwt']>>(({ token }) => token)
    const { tab } = await migratedSite({ claims: { role: 'admin' } }, { callbacks: { jwt } })
    await tab.session()
    const image = 'https://issuer.test/ada.png'
    const claims = { role: 'admin', name: 'Ada Lovelace', email: 'ada@example.com', picture: image }
    expect(jwt.mock.calls[0]?.[0]).toEqual({ token: expect.objectContaining(claims) })
    expect(jwt.mock.calls[0]?.[0].token.sub).toMatch(/./)
  })

  test('is signed in with any of several secrets', async () => {
    const config = passwordConfig({
      migrateSessions: true,
      secret: [SECRET, OLD_SECRET],
    }).config
    const cookie = await oldCookie(ADA, { secret: OLD_SECRET })
    expect(await outcomeOf(cookie, config)).toEqual([
      'Ada Lovelace',
      [`-${OLD_SECURE}`, SESSION].sort(),
    ])
  })

  test('can update the session in the first request', async () => {
    const jwt: CallbacksOptions['jwt'] = ({ token, session, trigger }) =>
      trigger === 'update' ? { ...token, name: String(session.name) } : token
    const { tab } = await migratedSite({}, { callbacks: { jwt } })
    const csrfToken = await tab.csrfToken()
    await tab.request('session', {
      method: 'POST',
      json: { csrfToken, data: { name: 'Countess Lovelace' } },
    })
    expect(await tab.session()).toMatchObject({ user: { name: 'Countess Lovelace' } })
    expect(sessionCookies(tab)).toEqual([SESSION])
  })

  test('stays signed in where no cookie can be set', async () => {
    const { config } = passwordConfig({ migrateSessions: true })
    const cookie = await oldCookie(ADA)
    for (let times = 0; times < 3; times += 1)
      expect((await readWith(cookie, config)).session).toMatchObject(SIGNED_IN)
  })

  test('can sign out with chunked cookies', async () => {
    const signOut = vi.fn()
    const { tab } = await migratedSite({ claims: NOTES }, { events: { signOut } })
    await tab.post('signout')
    expect(sessionCookies(tab)).toEqual([])
    expect(await tab.session()).toBeNull()
    expect(signOut).toHaveBeenCalledTimes(1)
    expect(signOut.mock.calls[0]?.[0]).toMatchObject({ token: { name: 'Ada Lovelace' } })
  })

  test('has only the new session after another sign-in', async () => {
    const { config } = passwordConfig({ migrateSessions: true })
    const tab = browser(config)
    const [name = '', value = ''] = (await oldCookie({ sub: '2', name: 'Grace' })).split('=')
    tab.cookies.set(name, value)
    await enter(tab)
    expect(sessionCookies(tab)).toEqual([SESSION])
    expect(await tab.session()).toMatchObject(SIGNED_IN)
  })

  test('is signed out when the next-auth session would have expired', async () => {
    stopClock()
    const { config } = passwordConfig({ migrateSessions: true })
    const cookie = await oldCookie(ADA, { maxAge: DAY })
    await pass(DAY + 14)
    expect((await outcomeOf(cookie, config))[0]).toBe('Ada Lovelace')
    await pass(1)
    expect(await outcomeOf(cookie, config)).toEqual([null, [`-${OLD_SECURE}`]])
  })

  test('is signed out when session.absoluteMaxAge has passed since the last use of the next-auth session', async () => {
    stopClock()
    const session = { absoluteMaxAge: DAY, updateAge: 0 }
    const { config } = passwordConfig({ migrateSessions: true, session })
    const tab = browser(config)
    const [name = '', value = ''] = (await oldCookie(ADA, { maxAge: 9 * DAY })).split('=')
    tab.cookies.set(name, value)
    await pass(DAY - 1)
    expect(await tab.session()).toMatchObject(SIGNED_IN)
    expect(sessionCookies(tab)).toEqual([SESSION])
    await pass(1)
    expect(await tab.session()).toBeNull()
  })

  test('keeps a next-auth session that is too large, with a warning', async () => {
    const { config, log } = passwordConfig({ migrateSessions: true })
    const [name, token = ''] = (await oldCookie({ ...ADA, notes: 'n'.repeat(9300) })).split('=')
    expect(token.length).toBeGreaterThan(12_288)
    const chunks = token.match(/.{1,3936}/g) ?? []
    const cookie = chunks.map((chunk, index) => `${name}.${index}=${chunk}`).join('; ')
    expect(await outcomeOf(cookie, config)).toEqual(['Ada Lovelace', []])
    expect(log.errors).toEqual([expect.any(SessionTooLarge)])
  })
})

describe('a database session of next-auth', () => {
  /** A `next-auth` session of Ada in a database that records its calls. */
  async function stored(more: Pick<AuthConfig, 'session'> = {}) {
    const memory = MemoryAdapter()
    const recorded = recordCalls(memory)
    const site = await migratedSite({ adapter: memory }, { ...more, adapter: recorded.adapter })
    const user = await memory.getUserByEmail('ada@example.com')
    const rows = () => memory.listSessions(user?.id ?? '')
    return { ...site, rows, called: recorded.called }
  }

  test('keeps its row, and is read with one call', async () => {
    const { tab, rows, called } = await stored()
    const before = await rows()
    await tab.session()
    expect(called()).toEqual(['getSessionAndUser'])
    expect(await rows()).toEqual(before)
  })

  test('is deleted with its row by signing out', async () => {
    const { tab, rows } = await stored()
    await tab.post('signout')
    expect(await rows()).toEqual([])
    expect(sessionCookies(tab)).toEqual([])
  })

  test('is replaced by the next sign-in', async () => {
    const { tab, rows } = await stored()
    const [before] = await rows()
    await tab.signIn('op')
    const after = await rows()
    expect(after).toHaveLength(1)
    expect(after[0]?.sessionToken).not.toBe(before?.sessionToken)
    expect(sessionCookies(tab)).toEqual([SESSION])
  })

  test('is stored as a hash with hashTokens', async () => {
    const { tab, rows } = await stored({ session: { hashTokens: true } })
    expect(await tab.session()).toMatchObject(SIGNED_IN)
    expect((await rows()).map(({ sessionToken }) => sessionToken.slice(0, 7))).toEqual(['sha256:'])
  })

  test('that does not exist is looked up once per form of the token', async () => {
    const recorded = recordCalls(MemoryAdapter())
    const { config } = configFor(op, {
      migrateSessions: true,
      adapter: recorded.adapter,
      cookies: named,
    })
    expect((await readWith('my-session=unknown', config)).session).toBeNull()
    expect(recorded.called()).toEqual(['getSessionAndUser', 'getSessionAndUser'])
  })
})
