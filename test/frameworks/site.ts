/** A site with the built-in routes, and the `fetch` of a page on it. */
import { vi } from 'vitest'
import { createClient } from '../../src/browser/client/index.ts'
import { shared } from '../../src/browser/client/page-state.ts'
import type { Client } from '../../src/browser/client/index.ts'
import { CredentialsSignin } from '../../src/errors.ts'
import type { AuthConfig } from '../../src/index.ts'
import Credentials from '../../src/providers/credentials.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import type { Browser } from '../../src/testing/index.ts'
import type { Awaitable, Fetch } from '../../src/core/types.ts'
import { oidc, SECRET, silentLog } from '../config.ts'
import type { Log } from '../config.ts'

export const ORIGIN = 'https://app.test'

class Locked extends CredentialsSignin {
  override code = 'locked'
}

/** The credentials that `authorize` received last. */
export const submitted: { last?: Record<string, unknown> } = {}

/** Signs Grace in with her password. */
const credentials = Credentials({
  credentials: { username: {}, password: {} },
  authorize(given) {
    submitted.last = given
    if (given.password === 'locked') throw new Locked()
    if (given.password === 'broken') throw new Error('The database is unavailable.')
    return given.password === 'right' ? { id: 'grace', name: 'Grace Hopper' } : null
  },
})

/** The provider that authenticates Ada. */
export const op = await issuer()

/** A configuration with an OpenID provider and a password. */
export function siteConfig(overrides: Partial<AuthConfig> = {}): { config: AuthConfig; log: Log } {
  const { log, logger } = silentLog()
  const config: AuthConfig = {
    providers: [oidc(op), credentials],
    secret: SECRET,
    trustHost: true,
    basePath: '/api/auth',
    fetch: op.fetch,
    logger,
    ...overrides,
  }
  return { config, log }
}

/** Number of pending requests of all sites. */
export const traffic: { pending: number } = { pending: 0 }

/** A page of the site. */
export interface Page {
  readonly tab: Browser
  readonly fetch: Fetch
  /** The requested routes, such as `GET session`. */
  readonly requests: string[]
  /** Set to replace responses; a request is passed on if it returns nothing. */
  intercept: (route: string) => Awaitable<Response | undefined | void>
}

/** Opens a page on a site. */
function openPage(config: AuthConfig): Page {
  const tab = browser(config, { origin: ORIGIN, basePath: '/api/auth' })
  const page: Page = {
    tab,
    requests: [],
    intercept: () => undefined,
    async fetch(input, init = {}) {
      const url = new URL(input instanceof Request ? input.url : input, ORIGIN)
      const { method, body } = init
      const route = `${method ?? 'GET'} ${url.pathname.replace('/api/auth/', '')}`
      page.requests.push(route)
      const answer = await page.intercept(route)
      if (answer) return answer
      traffic.pending++
      try {
        return await tab.request(url.href, {
          method: method === 'POST' ? 'POST' : 'GET',
          headers: Object.fromEntries(new Headers(init.headers)),
          ...(body instanceof URLSearchParams && { form: body }),
          ...(typeof body === 'string' && { json: JSON.parse(body) as unknown }),
        })
      } finally {
        traffic.pending--
      }
    },
  }
  return page
}

/** A page of a site with a client. */
export interface Visit {
  readonly page: Page
  readonly client: Client
  /** The URLs that the page navigated to; `reload` for a reload. */
  readonly visited: string[]
}

/** Opens a page and stubs `location` until `vi.unstubAllGlobals()`. */
export function visit(config: AuthConfig): Visit {
  // As in a page that was just loaded: other test files of this process set another one.
  shared.basePath = '/api/auth'
  const page = openPage(config)
  const visited: string[] = []
  vi.stubGlobal('location', {
    href: `${ORIGIN}/welcome?tab=2`,
    assign: (url: string) => void visited.push(url),
    replace: (url: string) => void visited.push(url),
    reload: () => void visited.push('reload'),
  })
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  return { page, client: createClient({ fetch: page.fetch }), visited }
}

/** Responses that the client cannot use. */
export const unusable = {
  error: () => Response.json({ error: 'Configuration' }, { status: 500 }),
  html: () => new Response('<h1>Sorry</h1>', { status: 200 }),
  networkError: () => Promise.reject(new TypeError('fetch failed')),
}

/** The credentials of Grace. */
export const login = { username: 'grace', password: 'right' }

/** Signs Grace in outside the page under test. */
export async function signInElsewhere({ client, page }: Visit): Promise<void> {
  await client.signIn('credentials', { ...login, redirect: false })
  page.requests.length = 0
}
