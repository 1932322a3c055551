/** Redirect targets of server functions: a URL that the `redirect` callback returned, or one of the site. */
import { describe, expect, test, vi } from 'vitest'
import { nextSite, ORIGIN, redirectOf } from './next/next-site.ts'
import type { NextSite } from './next/next-site.ts'
import { login } from './site.ts'

const TARGETS: Record<string, string> = {
  'another site': 'https://evil.test/',
  'another site without scheme': '//evil.test/',
  'a backslash': '/\\evil.test',
  'a script': 'javascript:alert(1)',
  'text that is not a URL': 'evil.test:x:y',
  'an overlong URL': `https://evil.test/${'x'.repeat(3000)}`,
  'an empty URL': '',
}

const FUNCTIONS: Record<string, (site: NextSite, options: object) => Promise<unknown>> = {
  signIn: (site, options) => site.signIn('credentials', { ...login, ...options }),
  signOut: (site, options) => site.signOut(options),
}

describe.each(Object.entries(FUNCTIONS))('%s', (_name, call) => {
  test.each(Object.entries(TARGETS))('stays on the site with %s', async (_what, redirectTo) => {
    const site = nextSite()
    const url = await redirectOf(site.action(() => call(site, { redirectTo })))
    expect(new URL(url).origin).toBe(ORIGIN)
    const result = await site.action(() => call(site, { redirectTo, redirect: false }))
    expect(new URL(String(result)).origin).toBe(ORIGIN)
    const visit = { headers: { referer: redirectTo } }
    const back = await redirectOf(site.action(() => call(site, {}), visit))
    expect(new URL(back).origin).toBe(ORIGIN)
  })

  test('redirects to the URL that the redirect callback returns', async () => {
    const redirect = vi.fn(() => 'https://partner.test/landing')
    const site = nextSite({ callbacks: { redirect } })
    const url = await redirectOf(site.action(() => call(site, { redirectTo: '/home' })))
    expect(url).toBe('https://partner.test/landing')
    expect(redirect).toHaveBeenCalledExactlyOnceWith({ url: '/home', baseUrl: ORIGIN })
  })
})
