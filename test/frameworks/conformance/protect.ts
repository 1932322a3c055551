/** Routes that only authenticated users reach. */
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { signIn } from './site.ts'
import type { Session } from '../../../src/index.ts'
import type { Exceptions } from './index.ts'
import type { Answer } from '../raw-client.ts'
import type { Open, OpenSite } from './site.ts'

/** Every answer of `authorized` with every one of `allow`, and what a visitor without and with a session receives. */
const RULES = [
  ['absent', 'absent', 'sign-in', 'page'],
  ['absent', 'true', 'sign-in', 'page'],
  ['absent', 'false', 'sign-in', 'denied'],
  ['absent', 'throws', 'sign-in', 'error'],
  ['true', 'absent', 'page', 'page'],
  ['true', 'true', 'sign-in', 'page'],
  ['true', 'false', 'sign-in', 'denied'],
  ['true', 'throws', 'sign-in', 'error'],
  ['false', 'absent', 'sign-in', 'sign-in'],
  ['false', 'true', 'sign-in', 'sign-in'],
  ['false', 'false', 'sign-in', 'sign-in'],
  ['false', 'throws', 'sign-in', 'sign-in'],
  ['moved', 'absent', 'moved', 'moved'],
  ['moved', 'true', 'moved', 'moved'],
  ['moved', 'false', 'moved', 'moved'],
  ['moved', 'throws', 'moved', 'moved'],
  ['throws', 'absent', 'error', 'error'],
  ['throws', 'true', 'error', 'error'],
  ['throws', 'false', 'error', 'error'],
  ['throws', 'throws', 'error', 'error'],
] as const

const MOVED = 'https://app.test/moved'

/** The answer of `authorized` that the address asks for. */
function decide({ url }: { url: URL }): boolean | Response {
  const rule = url.searchParams.get('authorized')
  if (rule === 'throws') throw new Error('The rules are not available.')
  return rule === 'moved' ? Response.redirect(MOVED, 302) : rule !== 'false'
}

/** The answer of `allow` that the name of the user asks for. */
function decideByName({ user }: Session): boolean {
  if (user?.name === 'User throws') throw new Error('The roles are not available.')
  return user?.name === 'User true'
}

function outcomeOf({ status, headers: { location = '' }, body }: Answer): string {
  if (/secret for (?:User|guest)|^\{"data"/.test(body)) return 'page'
  if (location === MOVED) return 'moved'
  if (status === 401 || location.includes('/signin?')) return 'sign-in'
  if (status === 403) return 'denied'
  return status >= 500 ? 'error' : `${status}`
}

/** Routes that only authenticated users reach. */
export function protectRows(open: Open, exceptions: Exceptions): void {
  const redirected = exceptions.redirectsWith307 ? 307 : 302
  let site: OpenSite
  beforeAll(async () => {
    site = await open()
  })

  test('protects routes: redirect, 401, 403, and never the page', async () => {
    const guarded = await open({ rules: { allow: ({ user }) => user?.name === 'User admin' } })
    const user = guarded.user()
    const page = await user.send('/guarded?tab=1')
    const type = exceptions.labelsEmptyBodies ? 'text/plain; charset=UTF-8' : undefined
    expect([page.status, page.headers['content-type']]).toEqual([redirected, type])
    expect(page.body).not.toContain('secret for')
    if (!exceptions.redirectsWith307) expect(page.body).toBe('')
    const location = new URL(page.headers.location ?? '', guarded.origin)
    expect(location.pathname).toBe(`${open.basePath}/signin`)
    expect(location.searchParams.get('callbackUrl')).toBe(`${guarded.origin}/guarded?tab=1`)
    const headers = { accept: 'application/json', 'sec-fetch-dest': 'empty' }
    const data = await user.send('/guarded/data', { headers })
    // Frameworks in which only an error ends a load function name the property themselves.
    expect(data.status).toBe(401)
    expect(Object.values(JSON.parse(data.body) as object)).toContain('SessionRequired')
    expect((await user.send('/guarded', { form: {} })).status).toBe(303)
    await signIn(user)
    expect((await user.send('/guarded')).body).toContain('secret for User ada')
    expect((await user.send('/guarded/data', { headers })).status).toBe(403)
    const admin = guarded.user()
    await signIn(admin, 'admin')
    expect((await admin.send('/guarded/data', { headers })).status).toBe(200)
  })

  describe('authorized and allow', () => {
    let ruled: OpenSite
    let unruled: OpenSite
    beforeAll(async () => {
      ruled = await open({
        rules: { allow: decideByName },
        overrides: { callbacks: { authorized: decide } },
      })
      unruled = await open({ rules: { allow: decideByName } })
    })

    test.each(RULES)('%s, %s: %s without a session, %s with one', async (rule, allow, ...row) => {
      const visited = rule === 'absent' ? unruled : ruled
      const path = allow === 'absent' ? '/guarded' : '/guarded/data'
      const headers = { accept: 'application/json', 'sec-fetch-dest': 'empty' }
      const request = allow === 'absent' ? {} : { headers }
      const user = visited.user()
      const seen = async () => outcomeOf(await user.send(`${path}?authorized=${rule}`, request))
      const before = await seen()
      await signIn(user, allow)
      const decidesItself = exceptions.decidesInHandlers && allow !== 'absent'
      const unasked = RULES.find((each) => each[0] === 'absent' && each[1] === allow)
      expect([before, await seen()]).toEqual(decidesItself ? unasked?.slice(2) : row)
    })
  })

  describe.skipIf(exceptions.decidesInHandlers)('requires', () => {
    afterEach(() => void vi.useRealTimers())
    const DATA = { headers: { accept: 'application/json', 'sec-fetch-dest': 'empty' } }
    const PAGE = { headers: { accept: 'text/html', 'sec-fetch-dest': 'document' } }
    let strict: OpenSite
    beforeAll(async () => {
      const requires = { maxAge: 900 }
      // Admits visitors: the requirement does not.
      const callbacks = { authorized: () => true }
      strict = await open({ rules: { requires }, overrides: { callbacks } })
    })

    test('a visitor signs in, and a user whose sign-in is too old confirms who they are', async () => {
      const user = strict.user()
      expect((await user.send('/guarded/data', DATA)).status).toBe(401)
      const unknown = await user.send('/guarded/data', PAGE)
      expect(unknown.headers.location).toContain('/signin?')
      await signIn(user)
      expect((await user.send('/guarded/data', DATA)).status).toBe(200)
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 901_000 })
      const data = await user.send('/guarded/data', DATA)
      expect(data.status).toBe(401)
      expect(data.body).toContain('StepUpRequired')
      expect(data.body).not.toContain('"data"')
      const page = await user.send('/guarded/data?tab=1', PAGE)
      expect(page.status).toBe(redirected)
      const location = new URL(page.headers.location ?? '', strict.origin)
      expect(location.pathname).toBe(`${open.basePath}/step-up`)
      expect(location.searchParams.get('callbackUrl')).toBe(`${strict.origin}/guarded/data?tab=1`)
      expect((await user.send(location.pathname + location.search, PAGE)).status).toBe(200)
    })

    test.each([
      ['a trusted proxy', { trustHost: true, trustedHosts: undefined }, 'https://app.test'],
      [
        'a proxy of a listed host',
        { trustHost: false, trustedHosts: ['app.test'] },
        'https://app.test',
      ],
      ['one that is not trusted', {}, null],
    ] as const)(
      'the page to confirm is one of the public origin behind %s',
      async (_what, trust, expected) => {
        const proxied = await open({ rules: { requires: { maxAge: 900 } }, overrides: trust })
        const address = expected ?? proxied.origin
        const user = proxied.user(address)
        const forwarded = expected
          ? { 'x-forwarded-host': 'app.test', 'x-forwarded-proto': 'https', host: 'internal:8080' }
          : {}
        const csrf = await user.send(`${open.basePath}/csrf`, { headers: forwarded })
        const json = { ...(JSON.parse(csrf.body) as object), username: 'ada', password: 'right' }
        const headers = { ...forwarded, 'x-auth-return-redirect': '1' }
        await user.send(`${open.basePath}/callback/credentials`, { json, headers })
        const sent = expected ? forwarded : { 'x-forwarded-host': 'evil.example' }
        const page = { headers: { ...PAGE.headers, ...sent } }
        const fresh = await user.send('/guarded/data', {
          headers: { ...DATA.headers, ...forwarded },
        })
        expect(fresh.status).toBe(200)
        vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 901_000 })
        const answer = await user.send('/guarded/data?tab=1', page)
        expect([answer.status, answer.body.includes('"data"')]).toEqual([redirected, false])
        const location = new URL(answer.headers.location ?? '', address)
        expect(location.origin + location.pathname).toBe(`${address}${open.basePath}/step-up`)
        expect(location.searchParams.get('callbackUrl')).toBe(`${address}/guarded/data?tab=1`)
        expect(answer.headers.location).not.toContain('evil.example')
        const shown = await user.send(location.pathname + location.search, { headers: forwarded })
        expect([shown.status, shown.body.includes('name="stepUp"')]).toEqual([200, true])
        const data = await user.send('/guarded/data', { headers: { ...DATA.headers, ...sent } })
        expect([data.status, data.body.includes('StepUpRequired')]).toEqual([401, true])
      },
    )

    test('allow is asked first, and what sessions do not keep is an error', async () => {
      const denied = await open({ rules: { allow: () => false, requires: { maxAge: 1 } } })
      const other = denied.user()
      await signIn(other)
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5_000 })
      expect((await other.send('/guarded/data', DATA)).status).toBe(403)
      const unkept = await open({ rules: { requires: { level: 2 } } })
      const user = unkept.user()
      await signIn(user)
      const answer = await user.send('/guarded/data', DATA)
      expect(answer.status).toBeGreaterThanOrEqual(500)
      expect(answer.body).not.toContain('"data"')
    })
  })

  test('never serves a protected page under another spelling of its path', async () => {
    for (const path of ['/%67uarded', '/guarded/', '//guarded', '/GUARDED', '/x/../guarded'])
      expect((await site.user().send(path)).body).not.toContain('secret for')
  })

  test('never takes a protected path for a public page because of its dot segments', async () => {
    const own = await open({ overrides: { pages: { signIn: '/page' } } })
    const user = own.user()
    expect((await user.send('/page')).status).toBe(200)
    for (const path of [
      '/guarded/../page',
      '/guarded/%2e%2e/page',
      '/guarded/..\\page',
      `/guarded/..${open.basePath}/csrf`,
    ])
      expect((await user.send(path)).body).not.toContain('secret for')
  })

  test('asks authorized, with every spelling of the path', async () => {
    const asked: string[] = []
    const authorized = ({ auth, url }: { auth: unknown; url: URL }) => {
      asked.push(url.pathname)
      if (url.searchParams.has('moved')) return Response.redirect('https://app.test/moved', 302)
      return url.searchParams.has('open') || auth !== null
    }
    const ruled = await open({ overrides: { callbacks: { authorized } } })
    const user = ruled.user()
    expect((await user.send('/guarded')).status).toBe(redirected)
    expect((await user.send('/guarded?open=1')).body).toContain('secret for guest')
    const moved = await user.send('/guarded?moved=1')
    expect([moved.status, moved.headers.location]).toEqual([302, 'https://app.test/moved'])
    expect(asked).toEqual(['/guarded', '/guarded', '/guarded'])
  })

  test('applies a rule for a path to every spelling that the router takes for it', async () => {
    const authorized = ({ auth, url }: { auth: unknown; url: URL }) =>
      auth !== null || !url.pathname.startsWith('/guarded')
    const ruled = await open({ overrides: { callbacks: { authorized } } })
    const user = ruled.user()
    for (const path of [
      '/GUARDED',
      '/Guarded/',
      '/%47uarded',
      '/guarded/',
      '//GUARDED',
      '/GUARDED/x',
    ])
      expect((await user.send(path)).body).not.toContain('secret for')
    await signIn(user)
    expect((await user.send('/guarded')).body).toContain('secret for User ada')
  })

  test('answers with an error, and never with the page, if allow throws', async () => {
    const failing = await open({
      rules: {
        allow: () => {
          throw new Error('The roles are not available.')
        },
      },
    })
    const user = failing.user()
    await signIn(user)
    const answer = await user.send('/guarded/data')
    expect(answer.status).toBeGreaterThanOrEqual(500)
    expect(answer.body).not.toMatch(/^\{"data"|The roles are not available/)
  })

  test('never protects the sign-in page and the built-in routes', async () => {
    const closed = await open({ overrides: { callbacks: { authorized: () => false } } })
    const user = closed.user()
    for (const path of [
      `${open.basePath}/signin`,
      `${open.basePath}/csrf`,
      `${open.basePath}/session`,
      `${open.basePath}/providers`,
    ])
      expect([path, (await user.send(path)).status]).toEqual([path, 200])
    expect((await signIn(user)).setCookies).not.toEqual([])
    expect((await user.send('/guarded')).body).not.toContain('secret for')
  })
}
