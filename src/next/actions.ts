// Not next/navigation.js: its other exports cannot be bundled into route handlers (vercel/next.js#86390).
import {
  getRedirectError,
  getRedirectTypeFromError,
  redirect,
} from 'next/dist/client/components/redirect.js'
import { Auth } from '../auth.ts'
import { oncePerKey } from '../cache.ts'
import { readOptions } from '../call-options.ts'
import type { CallOptions } from '../call-options.ts'
import type { AuthConfig } from '../config/types.ts'
import { withoutError } from '../errors/address.ts'
import { findSite } from '../get-session.ts'
import { markServerCall } from '../server-call.ts'
import { raw, skipCSRFCheck } from '../symbols.ts'
import type { ResponseInternal, Session, Untyped } from '../types.ts'
import type { ConfigFor, PreparedConfig } from './config.ts'
import { appRequest } from './current-request.ts'
import type { CurrentRequest } from './current-request.ts'
import { appBasePath } from './path.ts'
import { finishCall } from './session.ts'
import type { LibResult, SignOutUrl } from './types.ts'

/** A call from code has no CSRF token; the origin of the request is still validated. */
const rawConfig = oncePerKey((config: PreparedConfig): AuthConfig & { raw: typeof raw } => ({
  ...config,
  raw,
  skipCSRFCheck,
}))

interface Call {
  readonly path: string
  readonly query?: URLSearchParams
  readonly body: URLSearchParams | string
  /** `redirected`: errors lead to the error page, except configuration errors. @default 'thrown' */
  readonly failures?: 'thrown' | 'redirected'
}

/** `redirect`: the URL that the `redirect` callback returned; the origin of the site if the route does not redirect. */
type Answer = ResponseInternal & { readonly redirect: string }

async function run(
  config: PreparedConfig,
  current: CurrentRequest,
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

function returnUrlOf({ redirectTo }: CallOptions, { referer }: CurrentRequest): string {
  return redirectTo ?? (referer === null ? `${appBasePath()}/` : withoutError(referer))
}

type RedirectError = Parameters<typeof getRedirectTypeFromError>[0]

/** Next's own test of this exists only from 15.1 on. */
function isRedirect(error: unknown): error is RedirectError {
  return (
    error instanceof Error && 'digest' in error && String(error.digest).startsWith('NEXT_REDIRECT;')
  )
}

/** Redirects by throwing, with 303, because the browser must not repeat the POST (RFC 9110 §15.4.4). */
function redirectAfterPost(url: string): never {
  try {
    redirect(url)
  } catch (error) {
    throw isRedirect(error) ? getRedirectError(url, getRedirectTypeFromError(error), 303) : error
  }
}

function redirectOrReturn({ redirects }: CallOptions, url: string, result: Untyped = url): Untyped {
  return redirects ? redirectAfterPost(url) : result
}

function routeOf({ providers = [] }: PreparedConfig, id: string | undefined): string | undefined {
  const provider = providers.find((each) => typeof each !== 'function' && each.id === id)
  if (!provider || typeof provider === 'function') return undefined
  return provider.type === 'credentials' ? `callback/${provider.id}` : `signin/${provider.id}`
}

function isSession(body: unknown): body is Session {
  return typeof body === 'object' && body !== null
}

export function createActions(
  configFor: ConfigFor,
): Pick<LibResult, 'signIn' | 'signOut' | 'update'> {
  return {
    async signIn(provider, signInOptions, authorizationParams) {
      const current = await appRequest('signIn')
      const config = await configFor(current.nextRequest)
      const options = readOptions(signInOptions)
      const callbackUrl = returnUrlOf(options, current)
      const path = routeOf(config, provider)
      if (path === undefined) {
        // Needs no cookie, so server components can redirect to it.
        const { origin, basePath } = await findSite(current, config)
        const page = `${origin}${basePath}/signin?${new URLSearchParams({ callbackUrl })}`
        return redirectOrReturn(options, page)
      }
      const query = new URLSearchParams(authorizationParams)
      const body = new URLSearchParams({ ...options.fields(), callbackUrl })
      // A form can show a thrown credentials error; all other errors have an error page.
      const failures = path.startsWith('callback/') ? 'thrown' : 'redirected'
      const { redirect: url } = await run(config, current, { path, query, body, failures })
      return redirectOrReturn(options, url)
    },
    async signOut(signOutOptions) {
      const current = await appRequest('signOut')
      const config = await configFor(current.nextRequest)
      const options = readOptions(signOutOptions)
      const body = new URLSearchParams({ callbackUrl: returnUrlOf(options, current) })
      const { redirect: url } = await run(config, current, { path: 'signout', body })
      const result: SignOutUrl = Object.assign(new URL(url), { redirect: url, url })
      return redirectOrReturn(options, url, result)
    },
    async update(data) {
      const current = await appRequest('update')
      const config = await configFor(current.nextRequest)
      const call = { path: 'session', body: JSON.stringify({ data }) }
      const { body } = await run(config, current, call)
      return isSession(body) ? body : null
    },
  }
}
