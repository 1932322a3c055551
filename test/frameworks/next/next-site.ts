/**
 * A simulated Next.js site with Next's own cookie store, header list, redirects and proxy
 * adapter, and a browser that keeps cookies.
 */
// Next requires that this is imported first.
import 'next/dist/server/node-environment-baseline.js'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { workAsyncStorage } from 'next/dist/server/app-render/work-async-storage.external.js'
import { workUnitAsyncStorage } from 'next/dist/server/app-render/work-unit-async-storage.external.js'
import {
  createRequestStoreForAPI,
  synchronizeMutableCookies,
} from 'next/dist/server/async-storage/request-store.js'
import { createWorkStore } from 'next/dist/server/async-storage/work-store.js'
import { adapter } from 'next/dist/server/web/adapter.js'
import { NextRequest } from 'next/server.js'
import type { NextFetchEvent } from 'next/server.js'
import type { NextApiRequest, NextApiResponse } from 'next/types.js'
import Lib from '../../../src/frameworks/next/index.ts'
import type { LibConfig, LibResult, RouteContext } from '../../../src/frameworks/next/index.ts'
import { cookieStore } from '../../../src/testing/cookies.ts'
import type { CookieStore } from '../../../src/testing/cookies.ts'
import { ORIGIN, login, siteConfig } from '../site.ts'

// Re-exported so that the import above always runs first.
export { Lib, NextRequest, ORIGIN }
export { NextResponse } from 'next/server.js'
export { thrownRedirect, thrownRedirectStatus } from './next-redirect.ts'
export { AuthError, CredentialsSignin } from '../../../src/frameworks/next/index.ts'
export const SESSION = '__Host-lib.session-token'

/** A request of the browser. */
export interface Visit {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: BodyInit
  /** The `dynamic` export of a page. */
  readonly dynamic?: 'force-static' | 'error'
}

/** The result of a request through the proxy. */
export interface ProxyResult {
  readonly response: Response
  /** Headers that the page is rendered with; undefined if no page is rendered. */
  readonly page: Headers | undefined
}

/** The request and response of a page or an API route of the Pages Router. */
export interface PagesCall {
  readonly req: NextApiRequest
  readonly res: NextApiResponse
}

type Proxy = (request: NextRequest, event: NextFetchEvent) => Promise<Response>
type Route = (request: NextRequest, context: RouteContext) => Promise<Response>

/** The site, and a browser that is on it. */
export interface NextSite extends LibResult {
  readonly cookies: CookieStore
  /** Set-Cookie headers of the last response. */
  readonly set: string[]
  /** Runs a server action: cookies can be written. */
  action<T>(work: () => Promise<T>, visit?: Visit): Promise<T>
  /** Renders a server component: cookies cannot be written. */
  render<T>(work: () => Promise<T>, visit?: Visit): Promise<T>
  /** Runs a server action that does not redirect, and renders the page in response to the same request. */
  actionAndPage<T>(action: () => Promise<unknown>, page: () => Promise<T>): Promise<T>
  route(handler: Route, path: string, visit?: Visit): Promise<Response>
  /** Runs an API route on the edge. */
  edge(handler: Proxy, path: string, visit?: Visit): Promise<Response>
  /** Runs an API route or page of the Pages Router; the response already has the headers that the proxy has set. */
  pages<T>(
    work: (call: PagesCall) => Promise<T>,
    path: string,
    visit?: Visit & { behind?: ProxyResult },
  ): Promise<PagesCall & { readonly result: T }>
  proxy(handler: Proxy, path: string, visit?: Visit & { nextConfig?: object }): Promise<ProxyResult>
  /** Signs Grace in with her password. */
  signInGrace(): Promise<void>
}

/** The stores of Next for a request. */
function storesFor(request: NextRequest, phase: 'action' | 'render', { dynamic }: Visit = {}) {
  const cookies: string[] = []
  const work = createWorkStore({
    page: '/',
    buildId: '',
    deploymentId: '',
    previouslyRevalidatedTags: [],
    isPrefetchRequest: false,
    renderOpts: { experimental: {}, cacheComponents: false, onClose: () => undefined },
  } as unknown as Parameters<typeof createWorkStore>[0])
  const store = createRequestStoreForAPI(
    request,
    request.nextUrl,
    { tags: [], expirationsByCacheKind: new Map() },
    (all) => void cookies.splice(0, Infinity, ...all),
    undefined,
    undefined,
  )
  store.phase = phase
  work.forceStatic = dynamic === 'force-static'
  work.dynamicShouldError = dynamic === 'error'
  return {
    cookies,
    /** What Next does between an action and the page that it renders in response. */
    startRendering() {
      store.phase = 'render'
      synchronizeMutableCookies(store)
    },
    run: <T>(callback: () => Promise<T>): Promise<T> =>
      workAsyncStorage.run(work, () => workUnitAsyncStorage.run(store, callback)),
  }
}

/** The headers a page is rendered with after the proxy, by the rules of Next. */
function pageHeaders({ headers }: Response, sent: Headers): Headers | undefined {
  if (!headers.has('x-middleware-next') && !headers.has('x-middleware-rewrite')) return undefined
  const names = headers.get('x-middleware-override-headers')
  if (names === null) return sent
  const seen = names.split(',').map((name) => [name, headers.get(`x-middleware-request-${name}`)])
  return new Headers(seen.filter((entry): entry is [string, string] => entry[1] !== null))
}

/** Creates a site with a configuration, completed with defaults. */
export function nextSite(overrides: Partial<LibConfig> = {}): NextSite {
  const { config } = siteConfig()
  const lib = Lib({ ...config, basePath: undefined, ...overrides })
  return openSite(lib)
}

/** Opens a site with this result of `Lib`. */
export function openSite(lib: LibResult): NextSite {
  const cookies = cookieStore()
  const set: string[] = []

  function requestFor(path: string, { method = 'GET', headers, body }: Visit): NextRequest {
    const url = new URL(path, ORIGIN)
    const cookie = cookies.header({ url, method, initiator: 'same-site' })
    const own = { host: 'app.test', 'x-forwarded-proto': 'https', ...(cookie && { cookie }) }
    return new NextRequest(url, {
      method,
      headers: { ...own, ...headers },
      ...(body !== undefined && { body }),
    })
  }

  function keep(all: readonly string[]): void {
    set.splice(0, Infinity, ...all)
    for (const cookie of all) cookies.accept(cookie, new URL(ORIGIN))
  }

  /** Passes a request to an edge handler. */
  async function adapt(page: string, handler: Proxy, call: NextRequest, nextConfig: object) {
    const { url, method, headers, body } = call
    const request = {
      headers: Object.fromEntries(headers),
      method,
      url,
      nextConfig,
      page: {},
      ...(body && { body }),
    }
    const input = { handler, page, request }
    const { response } = await adapter(input as unknown as Parameters<typeof adapter>[0])
    keep(response.headers.getSetCookie())
    return response
  }

  async function inPhase<T>(
    phase: 'action' | 'render',
    work: () => Promise<T>,
    visit: Visit = {},
  ): Promise<T> {
    const method = phase === 'action' ? 'POST' : 'GET'
    const stores = storesFor(requestFor('/page', { method, ...visit }), phase, visit)
    try {
      return await stores.run(work)
    } finally {
      keep(stores.cookies)
    }
  }

  return {
    ...lib,
    cookies,
    set,
    action: (work, visit) => inPhase('action', work, visit),
    render: (work, visit) => inPhase('render', work, visit),
    async route(handler, path, visit = {}) {
      const request = requestFor(path, visit)
      const stores = storesFor(request, 'action')
      const context = { params: Promise.resolve({}) }
      const response = await stores.run(() => handler(request, context))
      keep([...stores.cookies, ...response.headers.getSetCookie()])
      return response
    },
    async actionAndPage(action, page) {
      const stores = storesFor(requestFor('/page', { method: 'POST' }), 'action')
      const result = await stores.run(async () => {
        await action()
        stores.startRendering()
        return page()
      })
      keep(stores.cookies)
      return result
    },
    edge: (handler, path, visit = {}) => adapt('/api/edge', handler, requestFor(path, visit), {}),
    async pages(work, path, { behind, ...visit } = {}) {
      const { url, method, headers } = requestFor(path, visit)
      const req = Object.assign(new IncomingMessage(new Socket()), {
        url: url.slice(ORIGIN.length),
        method,
        headers: Object.fromEntries(behind?.page ?? headers),
      })
      const res = new ServerResponse(req)
      const before = behind?.response.headers.getSetCookie() ?? []
      if (before.length > 0) res.setHeader('set-cookie', before)
      const call = { req, res } as unknown as PagesCall
      const result = await work(call)
      keep([res.getHeader('set-cookie') ?? []].flat().map(String))
      return { ...call, result }
    },
    async proxy(handler, path, { nextConfig = {}, ...visit } = {}) {
      const request = requestFor(path, visit)
      const response = await adapt('/proxy', handler, request, nextConfig)
      return { response, page: pageHeaders(response, request.headers) }
    },
    signInGrace: () =>
      inPhase('action', () => lib.signIn('credentials', { ...login, redirect: false })),
  }
}
