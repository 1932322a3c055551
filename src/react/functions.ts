'use client'
/** The same things without a component. */
import type {
  SignInAuthorizationParams,
  SignInOptions,
  SignInResponse,
  SignOutOptions,
  SignOutResponse,
} from '../client/types.ts'
import type { PublicProvider, Session } from '../types.ts'
import type * as Forms from './forms.ts'
import { loadForms } from './load-forms.ts'
import type { GetSessionParams } from './server.ts'
import { pageUrl, routes } from './state.ts'

/** What a route answers; `null` when it does not, which is then on the console. */
async function read<T>(route: string, params?: GetSessionParams): Promise<T | null> {
  const { location } = globalThis
  const at = location ? routes() : (await import('./server.ts')).serverRoutes(params)
  try {
    return await at.read<T>(route)
  } catch (error) {
    console.error(error)
    return null
  }
}

/**
 * Who is signed in; `null` also when that cannot be said, which is then on the console.
 *
 * Outside a browser it needs the request that is answered, and `AUTH_URL`.
 *
 * @throws InvalidConfiguration outside a browser, when nothing says where the site is
 */
export function getSession(params?: GetSessionParams): Promise<Session | null> {
  return read('session', params)
}

/** The CSRF token that forms send along; empty when it cannot be had. */
export async function getCsrfToken(params?: GetSessionParams): Promise<string> {
  const answer = await read<{ csrfToken: string }>('csrf', params)
  return answer?.csrfToken ?? ''
}

/** The ways to sign in, by id; `null` when they cannot be had. */
export function getProviders(): Promise<Record<string, PublicProvider> | null> {
  return read('providers')
}

/** The forms. Where they cannot be had any more, because a new version of the site is out, a page takes over. */
async function formsOr(page: string): Promise<typeof Forms> {
  try {
    return await loadForms()
  } catch (error) {
    globalThis.location.assign(pageUrl(page))
    throw error
  }
}

/** Starts a sign-in; without a provider, leads to the sign-in page. */
export async function signIn(
  provider?: string,
  options?: FormData | SignInOptions<true>,
  authorizationParams?: SignInAuthorizationParams,
): Promise<void>
export async function signIn(
  provider: string | undefined,
  options: SignInOptions<false>,
  authorizationParams?: SignInAuthorizationParams,
): Promise<SignInResponse>
export async function signIn(
  provider?: string,
  options?: FormData | SignInOptions,
  authorizationParams?: SignInAuthorizationParams,
): Promise<SignInResponse | void>
export async function signIn(
  provider?: string,
  options?: FormData | SignInOptions,
  authorizationParams?: SignInAuthorizationParams,
): Promise<SignInResponse | void> {
  const { signIn: begin } = await formsOr('signin')
  return begin(provider, options, authorizationParams)
}

/** Signs out. */
export async function signOut(options?: FormData | SignOutOptions<true>): Promise<void>
export async function signOut(options: SignOutOptions<false>): Promise<SignOutResponse>
export async function signOut(options?: FormData | SignOutOptions): Promise<SignOutResponse | void>
export async function signOut(
  options?: FormData | SignOutOptions,
): Promise<SignOutResponse | void> {
  const { signOut: leave } = await formsOr('signout')
  return leave(options)
}
