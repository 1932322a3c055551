/** Server functions of the wrapper, in requests from a page of another site (login CSRF). */
import { describe, expect, test } from 'vitest'
import { AuthError, nextSite, ORIGIN } from './next/next-site.ts'
import type { NextSite } from './next/next-site.ts'
import { login } from './site.ts'

const FUNCTIONS: Record<string, (site: NextSite) => Promise<unknown>> = {
  'signIn with a password': (site) => site.signIn('credentials', { ...login, redirect: false }),
  'signIn at a provider': (site) => site.signIn('op', { redirect: false }),
  signOut: (site) => site.signOut({ redirect: false }),
  update: (site) => site.update({ user: { name: 'Mallory' } }),
}

const CROSS_ORIGIN: Record<string, Record<string, string>> = {
  'of another site': { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' },
  'of another subdomain': { 'sec-fetch-site': 'same-site', origin: 'https://blog.app.test' },
  'of another site, in a browser without Sec-Fetch-Site': { origin: 'https://evil.test' },
  'of the same host on http': { origin: 'http://app.test' },
  'of a sandboxed frame': { origin: 'null' },
  'that follows a link on another site': { 'sec-fetch-site': 'cross-site' },
}

const SAME_ORIGIN: Record<string, Record<string, string>> = {
  'of the site': { 'sec-fetch-site': 'same-origin', origin: ORIGIN },
  'of the site, in a browser without Sec-Fetch-Site': { origin: ORIGIN },
  'of the site, without a referrer': { 'sec-fetch-site': 'same-origin', origin: 'null' },
  'of the site, behind a proxy that ends TLS without forwarding the protocol': {
    'sec-fetch-site': 'same-origin',
    origin: ORIGIN,
    'x-forwarded-proto': 'http',
  },
  'of the site, behind a proxy that replaces the host': {
    origin: ORIGIN,
    host: 'localhost:3000',
    'x-forwarded-host': 'app.test',
  },
  'that the user typed in': { 'sec-fetch-site': 'none' },
  'of a client that sends neither header': {},
}

/** Calls the function in a route handler; returns what it throws. */
async function callInRoute(
  site: NextSite,
  call: (site: NextSite) => Promise<unknown>,
  headers: Record<string, string>,
): Promise<unknown> {
  let thrown: unknown
  const handler = async () => {
    thrown = await call(site).then(
      () => undefined,
      (error: unknown) => error,
    )
    return new Response('done')
  }
  await site.route(handler, '/api/work', { method: 'POST', headers })
  return thrown
}

describe.each(Object.entries(FUNCTIONS))('%s', (_name, call) => {
  test.each(Object.entries(CROSS_ORIGIN))(
    'in a route handler rejects a request %s',
    async (_from, headers) => {
      const site = nextSite()
      await site.signInGrace()
      const error = await callInRoute(site, call, headers)
      expect(error).toBeInstanceOf(AuthError)
      expect(error).toHaveProperty('type', 'MissingCSRF')
      expect(site.set).toEqual([])
      const grace = { user: { name: 'Grace Hopper' } }
      expect(await site.render(() => site.auth())).toMatchObject(grace)
    },
  )

  test('in a server action rejects a request of another site', async () => {
    const site = nextSite()
    const visit = { headers: { origin: 'https://evil.test' } }
    await expect(site.action(() => call(site), visit)).rejects.toHaveProperty('type', 'MissingCSRF')
    expect(site.set).toEqual([])
  })

  test.each(Object.entries(SAME_ORIGIN))(
    'in a route handler accepts a request %s',
    async (_from, headers) => {
      const site = nextSite()
      await site.signInGrace()
      expect(await callInRoute(site, call, headers)).toBeUndefined()
    },
  )
})

test('logs a rejected request once, with the header that names another site', async () => {
  const lines: unknown[] = []
  const site = nextSite({ logger: { error: (error) => void lines.push(error.message) } })
  const headers = { 'sec-fetch-site': 'cross-site' }
  await callInRoute(site, (at) => at.signOut({ redirect: false }), headers)
  expect(lines).toEqual([expect.stringContaining('Sec-Fetch-Site: cross-site')])
})
