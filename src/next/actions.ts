/** Signing in, signing out and changing the session from the server: without a round trip. */
// Not next/navigation.js: what else it holds cannot be bundled into route handlers (vercel/next.js#86390).
import {
  getRedirectError,
  getRedirectTypeFromError,
  redirect,
} from 'next/dist/client/components/redirect.js'
import { Auth } from '../auth.ts'
import { readOptions } from '../call-options.ts'
import type { CallOptions } from '../call-options.ts'
import type { AuthConfig } from '../config/types.ts'
import { withoutError } from '../errors/address.ts'
import { findSite } from '../get-session.ts'
import { markServerCall } from '../server-call.ts'
import { raw, skipCSRFCheck } from '../symbols.ts'
import type { ResponseInternal, Session, Untyped } from '../types.ts'
import { appRequest } from './app-request.ts'
import type { AppRequest } from './app-request.ts'
import type { ConfigFor, PreparedConfig } from './config.ts'
import { mountPath } from './mount.ts'
import { finishCall } from './session.ts'
import type { SignIn, SignOut, SignOutUrl, Update } from './types.ts'

type RawConfig = AuthConfig & { raw: typeof raw }

/** The configurations as calls from the server need them, made once. */
const rawConfigs = new WeakMap<PreparedConfig, RawConfig>()

/** Without the CSRF token, which a call in code does not have; the source of the request is checked all the same. */
function rawConfig(config: PreparedConfig): RawConfig {
  const known = rawConfigs.get(config) ?? { ...config, raw, skipCSRFCheck }
  rawConfigs.set(config, known)
  return known
}

/** A request to a route of the library. */
interface Call {
  /** Below the base path. */
  readonly path: string
  readonly query?: URLSearchParams
  readonly body: URLSearchParams | string
  /** `redirected`: to the page that explains them, but for configuration errors. @default 'thrown' */
  readonly failures?: 'thrown' | 'redirected'
}

/** What a route answered, and where it leads. */
interface Answer extends ResponseInternal {
  /** The URL that passed the `redirect` callback; the origin of the site when the route leads nowhere. */
  readonly redirect: string
}

/** Runs a route, and hands its cookies to Next. */
async function run(
  config: PreparedConfig,
  current: AppRequest,
  { path, query, body, failures }: Call,
): Promise<Answer> {
  const headers = new Headers(current.headers)
  const { origin, basePath } = await findSite({ headers }, config, 'same-origin')
  const url = new URL(`${basePath}/${path}?${query ?? ''}`, origin)
  if (typeof body === 'string') headers.set('content-type', 'application/json')
  if (failures === 'redirected') headers.set('x-auth-return-redirect', '1')
  const request = markServerCall(new Request(url, { method: 'POST', headers, body }))
  const answer = await Auth(request, rawConfig(config))
  finishCall(current, answer.cookies)
  return { redirect: origin, ...answer }
}

/** Where to go when nobody says: back to the page the call came from. */
function targetOf({ redirectTo }: CallOptions, { referer }: AppRequest): string {
  return redirectTo ?? (referer === null ? `${mountPath()}/` : withoutError(referer))
}

type RedirectError = Parameters<typeof getRedirectTypeFromError>[0]

/** Whether Next redirects with this error. The module with the test of Next itself exists from 15.1 on. */
function isRedirect(error: unknown): error is RedirectError {
  return (
    error instanceof Error && 'digest' in error && String(error.digest).startsWith('NEXT_REDIRECT;')
  )
}

/** Next goes there by throwing. What was sent by POST must not be sent there once more: RFC 9110 §15.4.4. */
function goTo(url: string): never {
  try {
    redirect(url)
  } catch (error) {
    throw isRedirect(error) ? getRedirectError(url, getRedirectTypeFromError(error), 303) : error
  }
}

/** Goes there, or says where that is. */
function arrive<T>({ redirects }: CallOptions, url: string, result: T): T {
  return redirects ? goTo(url) : result
}

/** The route that starts a sign-in; without a provider there is none. */
function routeOf({ providers = [] }: PreparedConfig, id: string | undefined): string | undefined {
  const provider = providers.find((each) => typeof each !== 'function' && each.id === id)
  if (!provider || typeof provider === 'function') return undefined
  return provider.type === 'credentials' ? `callback/${provider.id}` : `signin/${provider.id}`
}

/** The page on which somebody chooses how to sign in. It takes no cookie, so server components can lead to it. */
async function signInPage(
  config: PreparedConfig,
  { headers }: AppRequest,
  callbackUrl: string,
): Promise<string> {
  const { origin, basePath } = await findSite({ headers }, config)
  return `${origin}${basePath}/signin?${new URLSearchParams({ callbackUrl })}`
}

/** Starts a sign-in; see {@link SignIn}. */
export function signInWith(configFor: ConfigFor): SignIn {
  return async (provider, given, authorizationParams) => {
    const current = await appRequest('signIn')
    const config = await configFor(current.nextRequest)
    const options = readOptions(given)
    const callbackUrl = targetOf(options, current)
    const path = routeOf(config, provider)
    if (path === undefined) {
      const page = await signInPage(config, current, callbackUrl)
      return arrive<Untyped>(options, page, page)
    }
    const query = new URLSearchParams(authorizationParams)
    const body = new URLSearchParams({ ...options.fields(), callbackUrl })
    // Forms show what is wrong with a password; every other failure has a page.
    const failures = path.startsWith('callback/') ? 'thrown' : 'redirected'
    const { redirect: url } = await run(config, current, { path, query, body, failures })
    return arrive<Untyped>(options, url, url)
  }
}

/** Signs out; see {@link SignOut}. */
export function signOutWith(configFor: ConfigFor): SignOut {
  return async (given) => {
    const current = await appRequest('signOut')
    const config = await configFor(current.nextRequest)
    const options = readOptions(given)
    const callbackUrl = targetOf(options, current)
    const body = new URLSearchParams({ callbackUrl })
    const { redirect: url } = await run(config, current, { path: 'signout', body })
    const result: SignOutUrl = Object.assign(new URL(url), { redirect: url, url })
    return arrive<Untyped>(options, url, result)
  }
}

function isSession(body: unknown): body is Session {
  return typeof body === 'object' && body !== null
}

/** Changes the session; see {@link Update}. */
export function updateWith(configFor: ConfigFor): Update {
  return async (data) => {
    const current = await appRequest('update')
    const config = await configFor(current.nextRequest)
    const body = JSON.stringify({ data })
    const answer = await run(config, current, { path: 'session', body })
    return isSession(answer.body) ? answer.body : null
  }
}
