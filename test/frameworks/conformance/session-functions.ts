/** Sessions that users list and end, and a recent sign-in that the application requires. */
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import { issuer } from '../../../src/testing/index.ts'
import type { Issuer } from '../../../src/testing/index.ts'
import { oidc } from '../../config.ts'
import { storeOf } from '../../core/tokens/record-store.ts'
import type { Answer, RawClient, RawRequest } from '../raw-client.ts'
import type { Exceptions } from './index.ts'
import { follow, isSession, nameOf, signIn as signInByForm } from './site.ts'
import type { Open, OpenSite } from './site.ts'

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0'

interface Listed {
  readonly sid: string
  readonly isCurrent: boolean
  readonly via: string | null
  readonly device: { readonly userAgent: string | null } | null
}

/** A browser of a person, whose requests return what the route has sent as JSON. */
interface Device {
  readonly user: RawClient
  readonly list: () => Promise<readonly Listed[] | null>
  /** @param sid - of the session; all others if missing */
  readonly end: (sid?: string) => Promise<unknown>
  /** `/assured` for a script. */
  readonly assured: () => Promise<Answer>
}

/** A copy of the cookies of a browser, sent from another one. */
function copyOf(site: OpenSite, user: RawClient): (path: string) => Promise<Answer> {
  const url = new URL('/me', site.origin)
  const cookie = user.cookies.header({ url, method: 'GET', initiator: 'same-site' }) ?? ''
  const other = site.user()
  return (path) => other.send(path, { headers: { cookie } })
}

/** A script of the page `/page`, which has a query. */
const scriptOf = ({ origin }: OpenSite) => ({
  headers: {
    accept: 'application/json',
    'sec-fetch-dest': 'empty',
    referer: `${origin}/page?tab=1`,
  },
})

/** Moves the clock of this process, in which provider and server are. */
function pass(seconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 })
}

function testStrategy(
  open: Open,
  { throwsStatus, redirectsToStepUp, decidesInHandlers }: Exceptions,
  strategy: 'jwt' | 'database',
) {
  let site: OpenSite
  let op: Issuer
  beforeAll(async () => {
    op = await issuer()
    const adapter = MemoryAdapter()
    const session = { strategy, devices: 'described', assurance: 'kept' } as const
    const storage = strategy === 'jwt' ? { store: storeOf(adapter) } : { adapter }
    site = await open({
      rules: { requires: { maxAge: 900 } },
      overrides: {
        ...storage,
        session,
        providers: [oidc(op)],
        fetch: op.fetch,
      },
    })
  })

  async function signIn(user: RawClient, sub: string, fields: object = {}): Promise<Answer> {
    const form = { csrfToken: await user.csrfToken(), callbackUrl: '/page', ...fields }
    const begun = await user.send(`${user.basePath}/signin/op`, { form })
    const person = { sub, name: `User ${sub}`, email: `${sub}@example.com` }
    const { url } = await op.authorize(begun.headers.location ?? '', person)
    const { pathname, search } = new URL(url)
    return user.send(pathname + search, { headers: { 'user-agent': FIREFOX } })
  }

  async function signedIn(sub: string): Promise<Device> {
    const user = site.user()
    await signIn(user, sub)
    const ask = async <T>(path: string, request?: RawRequest): Promise<T> => {
      const { status, body } = await user.send(path, request)
      expect([path, status]).toEqual([path, 200])
      return JSON.parse(body) as T
    }
    return {
      user,
      async list() {
        const page = await ask<{ sessions: readonly Listed[] } | null>('/sessions')
        return page && page.sessions
      },
      end: (sid) => ask(sid === undefined ? '/sessions' : `/sessions?sid=${sid}`, { form: {} }),
      assured: () => user.send('/assured', scriptOf(site)),
    }
  }

  test('are listed for their user, who ends one, and then the others', async () => {
    const laptop = await signedIn('grace')
    const phone = await signedIn('grace')
    const tablet = await signedIn('grace')
    const sessions = (await laptop.list()) ?? []
    expect(sessions.map(({ isCurrent }) => isCurrent)).toEqual([false, false, true])
    expect(sessions.map(({ via }) => via)).toEqual(['op', 'op', 'op'])
    expect(sessions.map(({ device }) => device?.userAgent)).toEqual([FIREFOX, FIREFOX, FIREFOX])
    const copied = copyOf(site, phone.user)
    expect((await copied('/me')).body).toContain('User grace')
    expect(await laptop.end(sessions[1]?.sid)).toBe(true)
    // The browser, and a copy of its cookie, in each part of the site.
    expect((await copied('/me')).body).toBe('null')
    expect((await copied('/page')).body).not.toContain('User grace')
    expect((await copied('/guarded')).body).not.toContain('secret for')
    expect(await phone.list()).toBeNull()
    expect(await laptop.end(sessions[1]?.sid)).toBe(false)
    expect(await laptop.end()).toBe(1)
    expect(await tablet.list()).toBeNull()
    expect(await laptop.list()).toHaveLength(1)
    expect(nameOf(await laptop.user.send('/me'))).toBe('User grace')
  })

  test('of another user are not ended', async () => {
    const victim = await signedIn('alan')
    const attacker = await signedIn('eve')
    const [{ sid } = { sid: '' }] = (await victim.list()) ?? []
    for (const each of [sid, 'unknown', 'x'.repeat(300)])
      expect([each, await attacker.end(each)]).toEqual([each, false])
    expect(await attacker.end()).toBe(0)
    expect(await victim.list()).toHaveLength(1)
  })

  test('that ends itself is signed out with the next request', async () => {
    const { user, list, end } = await signedIn('mary')
    const copied = copyOf(site, user)
    const [{ sid } = { sid: '' }] = (await list()) ?? []
    expect(await end(sid)).toBe(true)
    expect((await user.send('/me')).body).toBe('null')
    expect((await copied('/me')).body).toBe('null')
  })

  test('that have signed out are worth nothing as a copy', async () => {
    const { user } = await signedIn('ida')
    const copied = copyOf(site, user)
    await user.send(`${open.basePath}/signout`, { form: { csrfToken: await user.csrfToken() } })
    expect((await copied('/me')).body).toBe('null')
    expect(JSON.parse((await copied('/sessions')).body)).toBeNull()
    expect((await copied('/assured')).body).not.toContain('User ida')
  })

  test('are not ended by a page of another origin', async () => {
    const { user, list } = await signedIn('lin')
    await signedIn('lin')
    const headers = { origin: 'https://attacker.test', 'sec-fetch-site': 'cross-site' }
    const [{ sid } = { sid: '' }] = (await list()) ?? []
    for (const path of ['/sessions', `/sessions?sid=${sid}`])
      expect((await user.send(path, { form: {}, headers })).status).toBeGreaterThanOrEqual(400)
    expect(await list()).toHaveLength(2)
  })

  test('do not exist for a visitor', async () => {
    const user = site.user()
    for (const request of [{}, { form: {} }])
      expect((await user.send('/sessions', request)).body).toBe('null')
    expect((await user.send('/sessions?sid=x', { form: {} })).body).toBe('null')
  })

  test('are required by requireAuth, whose error leads to the sign-in page', async () => {
    const { status, headers, body } = await site.user().send('/assured', scriptOf(site))
    const { error, url, ...rest } = JSON.parse(body)
    expect([status, error, rest]).toEqual([401, 'SessionRequired', {}])
    expect(headers['www-authenticate']).toBeUndefined()
    const page = new URL(url)
    expect(page.origin + page.pathname).toBe(`${site.origin}${open.basePath}/signin`)
    expect(page.searchParams.get('callbackUrl')).toBe(`${site.origin}/page?tab=1`)
  })

  test('with an old sign-in are confirmed on the page of requireAuth, which leads back', async () => {
    const { user, assured } = await signedIn('ada')
    const copied = copyOf(site, user)
    const fresh = JSON.parse((await assured()).body)
    expect(fresh.session.user.name).toBe('User ada')
    expect(fresh.assurance).toMatchObject({ level: 1, amr: ['fed'], via: 'op' })

    pass(901)
    const rejected = await assured()
    const { error, url, ...rest } = JSON.parse(rejected.body)
    expect([rejected.status, error, rest]).toEqual([401, 'StepUpRequired', {}])
    expect(rejected.headers['www-authenticate']).toBe(
      'Bearer error="insufficient_user_authentication", error_description="The user has to authenticate again", max_age="900"',
    )
    const page = new URL(url)
    expect(page.origin + page.pathname).toBe(`${site.origin}${open.basePath}/step-up`)
    const stepUp = page.searchParams.get('stepUp') ?? ''
    expect(page.searchParams.get('callbackUrl')).toBe(`${site.origin}/page?tab=1`)
    const shown = await follow(user, url)
    expect([shown.status, shown.body.includes('name="stepUp"')]).toEqual([200, true])

    const fields = { stepUp, callbackUrl: '/assured' }
    // Another user changes nothing.
    const refused = await signIn(user, 'eve', fields)
    expect(refused.setCookies.filter(isSession)).toEqual([])
    expect(nameOf(await user.send('/me'))).toBe('User ada')
    expect((await assured()).status).toBe(401)

    const back = await signIn(user, 'ada', fields)
    expect([back.status, new URL(back.headers.location ?? '').pathname]).toEqual([302, '/assured'])
    expect(JSON.parse((await follow(user, back.headers.location)).body).assurance.via).toBe('op')
    // The session from before was replaced, and was not made fresh.
    expect((await copied('/assured')).body).not.toContain('User ada')
  })

  test('with an old sign-in lead to a page that returns to the one that was opened', async () => {
    const { user } = await signedIn('joan')
    pass(901)
    const { status, headers, body } = await user.send('/assured?tab=1')
    // Next.js does not tell which page was opened.
    const opened = redirectsToStepUp ? null : `${site.origin}/assured?tab=1`
    const url = redirectsToStepUp ? (headers.location ?? '') : JSON.parse(body).url
    const { pathname, searchParams } = new URL(url)
    expect([status, pathname, searchParams.get('callbackUrl')]).toEqual([
      redirectsToStepUp ? 303 : 401,
      `${open.basePath}/step-up`,
      opened,
    ])
  })

  test('with an old sign-in do not lead to a page of another origin', async () => {
    const { user } = await signedIn('dora')
    pass(901)
    const headers = { ...scriptOf(site).headers, referer: 'https://attacker.test/' }
    const { url } = JSON.parse((await user.send('/assured', { headers })).body)
    expect(new URL(url).searchParams.has('callbackUrl')).toBe(false)
  })

  test.skipIf(decidesInHandlers)('with an old sign-in: protect keeps the page', async () => {
    const { user } = await signedIn('vera')
    expect((await user.send('/guarded/data', scriptOf(site))).status).toBe(200)
    pass(901)
    const answer = await user.send('/guarded/data', scriptOf(site))
    expect(answer.status).toBe(401)
    expect(answer.body).toContain('StepUpRequired')
    const page = { headers: { accept: 'text/html', 'sec-fetch-dest': 'document' } }
    expect((await user.send('/guarded/data', page)).headers.location).toContain('/step-up?')
  })

  // The suites on other runtimes expect that nothing is skipped.
  if (throwsStatus === undefined) return
  test('with an old sign-in: the framework answers the error of the route', async () => {
    const { user } = await signedIn('rosa')
    pass(901)
    const visitor = await site.user().send('/assured?thrown', scriptOf(site))
    const old = await user.send('/assured?thrown', scriptOf(site))
    expect([visitor.status, old.status]).toEqual([throwsStatus, throwsStatus])
    for (const { body } of [visitor, old])
      expect(body).not.toMatch(/stepUp=|does not meet|node_modules|src\/core/)
  })
}

/** With passwords, because only they make a browser known. */
function testKnownBrowser(open: Open): void {
  test('the browser that ends the other sessions receives the cookie by which it stays known', async () => {
    const store = storeOf(MemoryAdapter())
    const site = await open({ overrides: { store, session: { strategy: 'jwt', revocation: {} } } })
    const [user, other] = [site.user(), site.user()]
    const isKnown = (cookie: string) => cookie.includes('lib.known=')
    for (const each of [user, other])
      expect((await signInByForm(each)).setCookies.filter(isKnown)).toHaveLength(1)
    const { status, setCookies } = await user.send('/sessions', { form: {} })
    expect(status).toBe(200)
    expect(setCookies.filter(isKnown)).toHaveLength(1)
    expect(nameOf(await user.send('/me'))).toBe('User ada')
    expect((await other.send('/me')).body).not.toContain('User ada')
  })
}

/** Sessions that users list and end, and a recent sign-in that the application requires. */
export function sessionFunctionRows(open: Open, exceptions: Exceptions): void {
  afterEach(() => void vi.useRealTimers())
  describe.each(['jwt', 'database'] as const)('sessions with the strategy %s', (strategy) =>
    testStrategy(open, exceptions, strategy),
  )
  testKnownBrowser(open)
}
