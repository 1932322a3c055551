/** Responses of the proxy and of `auth()` around a handler when the session cannot be read. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { nextSite, SESSION } from './next/next-site.ts'
import type { NextSite, Visit } from './next/next-site.ts'
import { silentLog } from '../config.ts'
import MemoryAdapter from '../../src/adapters/memory.ts'
import type { LibConfig, LibRequest } from '../../src/frameworks/next/index.ts'

beforeEach(() => {
  vi.stubEnv('NODE_ENV', 'production')
  for (const name of ['AUTH_URL', 'AUTH_SECRET', 'AUTH_TRUST_HOST', 'VERCEL', 'CF_PAGES'])
    vi.stubEnv(name, '')
})

afterEach(() => vi.unstubAllEnvs())

const handler = (_request: LibRequest) => new Response('for members')

const RUNS: Record<string, (site: NextSite, visit: Visit) => Promise<Response>> = {
  'the proxy': async (site, visit) => (await site.proxy(site.auth, '/page', visit)).response,
  'auth() around the proxy': async (site, visit) =>
    (await site.proxy(site.auth((_request, _event) => undefined) as never, '/page', visit))
      .response,
  'auth() around a route handler': (site, visit) =>
    site.route(site.auth(handler), '/api/me', visit),
  'auth() around an API route on the edge': (site, visit) =>
    site.edge(site.auth(handler) as never, '/api/edge', visit),
}

const down: LibConfig = {
  providers: [],
  session: { strategy: 'database' },
  adapter: {
    ...MemoryAdapter(),
    getSessionAndUser: () => Promise.reject(new Error('Down.')),
  },
}

interface Cause {
  readonly config: Partial<LibConfig>
  readonly headers?: Record<string, string>
  readonly status: number
  readonly heading: string
  readonly sentence: string
}

const CAUSES: Record<string, Cause> = {
  'the database is down': {
    config: down,
    status: 503,
    heading: 'Try again in a moment',
    sentence: 'The session cannot be read right now. Try again.',
  },
  'there is no secret': {
    config: { secret: undefined },
    status: 500,
    heading: 'Server error',
    sentence: 'There is a problem with the server configuration. Check the server logs.',
  },
  'the host is not trusted': {
    config: { trustHost: false },
    status: 400,
    heading: 'Server error',
    sentence: 'There is a problem with the server configuration. Check the server logs.',
  },
  'the Host header is invalid': {
    config: {},
    headers: { host: 'app@evil.test' },
    status: 400,
    heading: 'Bad request',
    sentence: 'The request is malformed.',
  },
}

function failingSite(config: Partial<LibConfig>): NextSite {
  const site = nextSite({ ...silentLog(), theme: { brandColor: '#123456' }, ...config })
  site.cookies.set(SESSION, 'token')
  return site
}

const NAVIGATION = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

const PROGRAMS: Record<string, Record<string, string>> = {
  'a client that accepts anything': { accept: '*/*' },
  'a client that reads JSON': { accept: 'application/json' },
  fetch: { accept: '*/*', 'sec-fetch-dest': 'empty' },
  'a server action': { accept: 'text/x-component', 'next-action': 'x' },
  'a picture': { accept: 'image/*', 'sec-fetch-dest': 'image' },
}

describe.each(Object.entries(RUNS))('%s', (_place, run) => {
  describe.each(Object.entries(CAUSES))('when %s', (_cause, cause) => {
    const { config, headers, status, heading, sentence } = cause

    test.each([{}, { 'sec-fetch-dest': 'document' }, { 'sec-fetch-dest': 'iframe' }])(
      'shows the built-in page to a navigation %j',
      async (destination) => {
        const sent = { ...NAVIGATION, ...destination, ...headers }
        const response = await run(failingSite(config), { headers: sent })
        const text = await response.text()
        expect(response.status).toBe(status)
        expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
        expect(response.headers.get('content-security-policy')).toMatch(
          /^default-src 'none'; style-src 'nonce-[^']+'; .*frame-ancestors 'none'/,
        )
        expect(text).toContain(`<h1>${heading}</h1>`)
        expect(text).toContain('#123456')
        expect(text).not.toContain('<script')
        expect(text).not.toContain('Down.')
        expect(text.includes('Reference for support:')).toBe(heading !== 'Bad request')
      },
    )

    test.each(Object.entries(PROGRAMS))('sends plain text to %s', async (_who, accept) => {
      const response = await run(failingSite(config), { headers: { ...accept, ...headers } })
      expect(response.status).toBe(status)
      expect(response.headers.get('content-type')).toBe('text/plain')
      expect(await response.text()).toBe(sentence)
    })

    test('keeps the cookies and forbids caching', async () => {
      const site = failingSite(config)
      const response = await run(site, { headers: { ...NAVIGATION, ...headers } })
      expect(response.headers.get('cache-control')).toBe('private, no-store')
      expect(response.headers.get('cdn-cache-control')).toBe('no-store')
      expect(response.headers.get('retry-after')).toBe(status === 503 ? '2' : null)
      expect(site.cookies.get(SESSION)?.value).toBe('token')
    })
  })
})
