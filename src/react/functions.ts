'use client'
import { routes } from '../client/page-state.ts'
import type {
  Client,
  SignInAuthorizationParams,
  SignInOptions,
  SignInResponse,
  SignOutOptions,
  SignOutResponse,
} from '../client/types.ts'
import type { PublicProvider, Session } from '../types.ts'
import type * as Forms from './forms.ts'
import type { GetSessionParams } from './server.ts'
import { loadForms, pageUrl } from './state.ts'

async function readRoute<T>(route: string, params?: GetSessionParams): Promise<T | null> {
  const { location } = globalThis
  const available = location ? routes() : (await import('./server.ts')).serverRoutes(params)
  try {
    return await available.readJson<T>(route)
  } catch (error) {
    console.error(error)
    return null
  }
}

/**
 * Reads the session; `null` if unauthenticated, or after an error, which is logged. Outside a browser, it requires the
 * request or its headers, and `AUTH_URL`.
 *
 * @throws InvalidConfiguration outside a browser, if no variable contains the URL of the site
 */
export function getSession(params?: GetSessionParams): Promise<Session | null> {
  return readRoute('session', params)
}

/** Returns the CSRF token for forms; empty after an error. */
export async function getCsrfToken(params?: GetSessionParams): Promise<string> {
  const body = await readRoute<{ csrfToken: string }>('csrf', params)
  return body?.csrfToken ?? ''
}

/** Returns the configured providers by id; `null` after an error. */
export function getProviders(): Promise<Record<string, PublicProvider> | null> {
  return readRoute('providers')
}

/** After a deployment, the chunk may no longer exist: the built-in page is used instead. */
async function loadFormsOr(page: string): Promise<typeof Forms> {
  try {
    return await loadForms()
  } catch (error) {
    globalThis.location.assign(pageUrl(page))
    throw error
  }
}

/** Starts a sign-in; without a provider, goes to the sign-in page. */
export async function signIn<R extends boolean = true>(
  provider?: string,
  options?: FormData | SignInOptions<R>,
  authorizationParams?: SignInAuthorizationParams,
): Promise<R extends false ? SignInResponse : void>
export async function signIn(...args: Parameters<Client['signIn']>): Promise<unknown> {
  return (await loadFormsOr('signin')).signIn(...args)
}

/** Signs out, and goes to the return URL. */
export async function signOut<R extends boolean = true>(
  options?: FormData | SignOutOptions<R>,
): Promise<R extends false ? SignOutResponse : void>
export async function signOut(...args: Parameters<Client['signOut']>): Promise<unknown> {
  return (await loadFormsOr('signout')).signOut(...args)
}
