/** Every URL and every cookie is on the origin in the address bar, in each deployment. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openInbox } from './application.ts'
import type { Application } from './application.ts'
import { pathsOf } from './paths.ts'
import type { PathOptions } from './paths.ts'
import { visitor } from './visitor.ts'
import type { Answer, Visitor } from './visitor.ts'
import { startDeployments, DEPLOYMENT_NAMES } from './deployments.ts'
import type { DeploymentName, Deployments } from './deployments.ts'

/** Expects host-only cookies, which are Secure on https. */
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
export function originTests(
  application: () => Application,
  options: PathOptions,
  names: readonly DeploymentName[] = DEPLOYMENT_NAMES,
): void {
  let inbox: Awaited<ReturnType<typeof openInbox>>
  let deployments: Deployments
  beforeAll(async () => {
    inbox = await openInbox()
    deployments = await startDeployments(application(), { TEST_INBOX: inbox.url })
  })
  afterAll(async () => {
    await deployments?.stop()
    await inbox?.stop()
  })

  describe.each(names)('requested %s', (name) => {
    const open = () => {
      const visit = visitor(deployments.of(name))
      return { visit, ...pathsOf(visit, options) }
    }

    test('the routes return URLs and a redirect URI on this origin', async () => {
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
        url(`${options.signIn ?? '/api/auth/signin'}?error=OAuthCallbackError`),
      )
    })

    test('a sign-in with a password redirects to the page, every context reads the session, and a sign-out ends it', async () => {
      const { visit, page, url, post } = open()
      const callbackUrl = url('/protected')
      const answer = await post('callback/credentials', { password: 'right', callbackUrl })
      expect(answer.headers.get('location')).toBe(callbackUrl)
      expectCookies(answer, visit)
      for (const path of ['/', '/protected', '/who', '/props', '/api/me']) {
        const shownPage = await visit.send(page(path))
        expect(shownPage.text).toMatch(/<h1>Grace<|"name":"Grace"/)
        expectCookies(shownPage, visit)
        // Outside of components, the session is extended again after the proxy; the browser keeps the last cookie.
        expect(shownPage.set).toHaveLength(path === '/' || path === '/protected' ? 1 : 2)
      }
      const signedOut = await post('signout', { callbackUrl: url('/static') })
      expect(signedOut.headers.get('location')).toBe(url('/static'))
      expect(visit.cookies.all().some((cookie) => cookie.name.includes('session'))).toBe(false)
    })

    test('a protected page redirects to the sign-in page and back', async () => {
      const { visit, page, url } = open()
      const { status, location } = await visit.send(page('/protected'))
      expect(status).toBe(307)
      const signIn = new URL(url(options.signIn ?? '/api/auth/signin'))
      expect(location?.origin).toBe(signIn.origin)
      expect(location?.pathname.replace(/\/$/, '')).toBe(signIn.pathname)
      expect(location?.searchParams.get('callbackUrl')).toBe(visit.origin + page('/protected'))
      expect((await visit.send(`${location?.pathname}${location?.search}`)).status).not.toBe(307)
    })

    test('a server action redirects to the provider and to the sign-in page', async () => {
      const { visit, page, url } = open()
      const answer = await visit.submit(page('/'), 'provider')
      expect(answer.location?.searchParams.get('redirect_uri')).toBe(url('/api/auth/callback/op'))
      expectCookies(answer, visit)
      const signInPage = await visit.submit(page('/'), 'choose')
      const { origin, pathname, searchParams } = signInPage.location ?? new URL('about:blank')
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

    test('magic links are on this origin, whether a route or a server action sends them', async () => {
      const { visit, page, url, post } = open()
      const requests = [
        (email: string) => post('signin/mail', { email, callbackUrl: url('/protected') }),
        (email: string) => visit.submit(page('/'), 'mail', { email }),
      ]
      for (const requestLink of requests) {
        // All origins share the server, which limits the mails to an address.
        const email = `${crypto.randomUUID()}@example.com`
        const sent = await requestLink(email)
        expect(sent.location?.href).toContain(url('/api/auth/verify-request'))
        const link = inbox.linkFor(email) ?? ''
        expect(link.split('?')[0]).toBe(url('/api/auth/callback/mail'))
        const { pathname, search } = new URL(link)
        const opened = await visit.send(pathname + options.trailingSlash + search)
        expect(opened.location?.origin).toBe(visit.origin)
        expect((await visit.send(page('/'))).text).toContain(`<h1>${email}<`)
      }
    })
  })
}
