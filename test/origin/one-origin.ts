/** Every URL and every cookie is on the origin people use, whichever way they come. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openInbox } from './lab.ts'
import type { Lab } from './lab.ts'
import { spelled } from './spelling.ts'
import type { Spelling } from './spelling.ts'
import { visitor } from './visitor.ts'
import type { Answer, Visitor } from './visitor.ts'
import { openWays, WAY_NAMES } from './ways.ts'
import type { WayName, Ways } from './ways.ts'

/** Cookies are for this origin only, and for https only where there is https. */
function expectCookies({ set }: Answer, { origin }: Visitor): void {
  expect(set.length).toBeGreaterThan(0)
  const isSecure = origin.startsWith('https:')
  for (const cookie of set) {
    expect(cookie).toMatch(isSecure ? /^__Host-lib\./ : /^lib\./)
    expect(/; Secure/i.test(cookie)).toBe(isSecure)
    expect(cookie).not.toMatch(/; Domain=/i)
  }
}

/** Adds the tests for a built application. */
export function originSuite(
  lab: () => Lab,
  spelling: Spelling,
  names: readonly WayName[] = WAY_NAMES,
): void {
  let inbox: Awaited<ReturnType<typeof openInbox>>
  let ways: Ways
  beforeAll(async () => {
    inbox = await openInbox()
    ways = await openWays(lab(), { LAB_INBOX: inbox.url })
  }, 60_000)
  afterAll(async () => {
    await ways?.stop()
    await inbox?.stop()
  })

  describe.each(names)('%s', (name) => {
    const open = () => {
      const visit = visitor(ways.of(name))
      return { visit, ...spelled(visit, spelling) }
    }

    // Covers: next.one-origin
    test('the routes say where they are, and where the provider shall lead back to', async () => {
      const { visit, route, url, post } = open()
      const { text } = await visit.send(route('providers'))
      expect(JSON.parse(text)).toMatchObject({
        op: { signinUrl: url('/api/auth/signin/op'), callbackUrl: url('/api/auth/callback/op') },
      })
      const answer = await post('signin/op', { callbackUrl: url('/protected') })
      expect(answer.location?.searchParams.get('redirect_uri')).toBe(url('/api/auth/callback/op'))
      expectCookies(answer, visit)
      const denied = await visit.send(
        `${route('callback/op')}?error=access_denied&state=${answer.location?.searchParams.get('state')}`,
      )
      expect(denied.location?.href).toBe(
        url(`${spelling.signIn ?? '/api/auth/signin'}?error=OAuthCallbackError`),
      )
    })

    // Covers: lib.auth-props
    test('who signs in with a password gets there, is known everywhere, and can leave', async () => {
      const { visit, page, url, post } = open()
      const callbackUrl = url('/protected')
      const answer = await post('callback/credentials', { password: 'right', callbackUrl })
      expect(answer.headers.get('location')).toBe(callbackUrl)
      expectCookies(answer, visit)
      for (const path of ['/', '/protected', '/who', '/props', '/api/me']) {
        const shown = await visit.send(page(path))
        expect(shown.text).toMatch(/<h1>Grace<|"name":"Grace"/)
        expectCookies(shown, visit)
        // What is not a component extends what the proxy has extended; Next sends both, and the last one counts.
        expect(shown.set).toHaveLength(path === '/' || path === '/protected' ? 1 : 2)
      }
      const left = await post('signout', { callbackUrl: url('/static') })
      expect(left.headers.get('location')).toBe(url('/static'))
      expect(visit.cookies.all().some((cookie) => cookie.name.includes('session'))).toBe(false)
    })

    // Covers: next.one-origin
    test('who asks for a protected page is led to the sign-in page and back', async () => {
      const { visit, page, url } = open()
      const { status, location } = await visit.send(page('/protected'))
      expect(status).toBe(307)
      const signIn = new URL(url(spelling.signIn ?? '/api/auth/signin'))
      expect(location?.origin).toBe(signIn.origin)
      expect(location?.pathname.replace(/\/$/, '')).toBe(signIn.pathname)
      expect(location?.searchParams.get('callbackUrl')).toBe(visit.origin + page('/protected'))
      expect((await visit.send(`${location?.pathname}${location?.search}`)).status).not.toBe(307)
    })

    // Covers: next.one-origin
    test('a server action leads to the provider, and to the sign-in page', async () => {
      const { visit, page, url } = open()
      const answer = await visit.submit(page('/'), 'provider')
      expect(answer.location?.searchParams.get('redirect_uri')).toBe(url('/api/auth/callback/op'))
      expectCookies(answer, visit)
      const chosen = await visit.submit(page('/'), 'choose')
      const { origin, pathname, searchParams } = chosen.location ?? new URL('about:blank')
      expect(origin + pathname).toBe(url('/api/auth/signin'))
      expect(searchParams.get('callbackUrl')).toBe(visit.origin + page('/'))
    })

    test.runIf(name.startsWith('with AUTH_URL'))(
      'a route handler redirects to a page of the site',
      async () => {
        const { visit, page } = open()
        const { headers } = await visit.send(`${page('/who')}?leave`)
        expect(headers.get('location')).toBe(`${visit.origin}/left`)
      },
    )

    // Covers: next.one-origin
    test('links in mail lead back, whether a route or a server action sends them', async () => {
      const { visit, page, url, post } = open()
      const asked = {
        'route@example.com': (email: string) =>
          post('signin/mail', { email, callbackUrl: url('/protected') }),
        'action@example.com': (email: string) => visit.submit(page('/'), 'mail', { email }),
      }
      for (const [email, ask] of Object.entries(asked)) {
        const sent = await ask(email)
        expect(sent.location?.href).toContain(url('/api/auth/verify-request'))
        const link = inbox.linkFor(email) ?? ''
        expect(link.split('?')[0]).toBe(url('/api/auth/callback/mail'))
        const { pathname, search } = new URL(link)
        const opened = await visit.send(pathname + spelling.slash + search)
        expect(opened.location?.origin).toBe(visit.origin)
        expect((await visit.send(page('/'))).text).toContain(`<h1>${email}<`)
      }
    })
  })
}
