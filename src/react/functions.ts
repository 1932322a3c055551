'use client'
/** The same things without a component. */
import { readOptions } from '../call-options.ts'
import { openChannel } from '../client/channel.ts'
import type {
  SignInAuthorizationParams,
  SignInOptions,
  SignInResponse,
  SignOutOptions,
  SignOutResponse,
} from '../client/types.ts'
import type { PublicProvider, Session } from '../types.ts'
import { client, shared } from './state.ts'

/** What {@link getSession} needs outside a browser. */
export interface GetSessionParams {
  /** Headers of the request that is answered. */
  headers?: { cookie?: string }
}

async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    console.error(error)
    return null
  }
}

/** Who is signed in; `null` also when that cannot be said, which is then on the console. */
export function getSession(params?: GetSessionParams): Promise<Session | null> {
  return orNull(client().getSession(params?.headers?.cookie))
}

/** The CSRF token that forms send along; empty when it cannot be had. */
export async function getCsrfToken(): Promise<string> {
  return (await orNull(client().getCsrfToken())) ?? ''
}

/** The ways to sign in, by id. */
export function getProviders(): Promise<Record<string, PublicProvider> | null> {
  return orNull(client().getProviders())
}

/** Tells the other tabs that the session has changed, also from a page without a provider. */
function tellOthers(): void {
  if (shared.store) return shared.store.tell()
  const channel = openChannel(() => undefined)
  channel.tell()
  channel.close()
}

/** Starts a sign-in; without a provider, leads to the sign-in page. */
export async function signIn(
  provider?: string,
  options?: FormData | (SignInOptions & { redirect?: true }),
  authorizationParams?: SignInAuthorizationParams,
): Promise<void>
export async function signIn(
  provider: string | undefined,
  options: SignInOptions & { redirect: false },
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
  const result = await client().signIn(provider, options, authorizationParams)
  if (readOptions(options).redirects) return undefined
  tellOthers()
  await shared.store?.renew()
  return result
}

/** Signs out. */
export async function signOut(options?: SignOutOptions & { redirect?: true }): Promise<void>
export async function signOut(
  options: SignOutOptions & { redirect: false },
): Promise<SignOutResponse>
export async function signOut(options?: SignOutOptions): Promise<SignOutResponse | void>
export async function signOut(options?: SignOutOptions): Promise<SignOutResponse | void> {
  const result = await client().signOut(options)
  tellOthers()
  if (readOptions(options).redirects) return undefined
  await shared.store?.renew()
  return result
}
