/** A site with the built-in routes, and the `fetch` of a page on it. */
import { vi } from 'vitest'
import { createClient } from '../../src/client/index.ts'
import type { Client } from '../../src/client/index.ts'
import { CredentialsSignin } from '../../src/errors.ts'
import type { AuthConfig } from '../../src/index.ts'
import Credentials from '../../src/providers/credentials.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import type { Browser } from '../../src/testing/index.ts'
import type { Awaitable, Fetch } from '../../src/types.ts'
import { oidc, SECRET, silentLog } from '../config.ts'
import type { Log } from '../config.ts'

export const ORIGIN = 'https://app.test'

class Locked extends CredentialsSignin {
  override code = 'locked'
}

/** What was typed in, as `authorize` was last given it. */
export const typed: { last?: Record<string, unknown> } = {}

/** Lets Grace in, by her password. */
const credentials = Credentials({
  credentials: { username: {}, password: {} },
  authorize(given) {
    typed.last = given
    if (given.password === 'locked') throw new Locked()
    if (given.password === 'broken') throw new Error('The database is not there.')
    return given.password === 'right' ? { id: 'grace', name: 'Grace Hopper' } : null
  },
})

/** The provider at which Ada signs in. */
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

/** How many requests the sites are answering at the moment. */
export const traffic: { pending: number } = { pending: 0 }

/** A page of the site. */
export interface Page {
  readonly tab: Browser
  readonly fetch: Fetch
  /** What was asked for, as in `GET session`. */
  readonly requests: string[]
  /** Set it to have the next requests answered in another way; return nothing to leave one as it is. */
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
  /** The URL the page navigated to, and whether it was reloaded. */
  readonly journey: string[]
}

/** Opens a page in what is then the browser, until `vi.unstubAllGlobals()`. */
export function visit(config: AuthConfig): Visit {
  const page = openPage(config)
  const journey: string[] = []
  vi.stubGlobal('location', {
    href: `${ORIGIN}/welcome?tab=2`,
    assign: (url: string) => void journey.push(url),
    replace: (url: string) => void journey.push(url),
    reload: () => void journey.push('again'),
  })
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  return { page, client: createClient({ fetch: page.fetch }), journey }
}

/** Answers no client can make anything of. */
export const unusable = {
  error: () => Response.json({ error: 'Configuration' }, { status: 500 }),
  html: () => new Response('<h1>Sorry</h1>', { status: 200 }),
  nothing: () => Promise.reject(new TypeError('fetch failed')),
}

/** What Grace types in. */
export const right = { username: 'grace', password: 'right' }
