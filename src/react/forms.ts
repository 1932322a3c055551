/** Signing in and out from React: needed after a click, and not before. */
import { openChannel } from '../client/channel.ts'
import * as forms from '../client/forms.ts'
import type { Outcome } from '../client/forms.ts'
import type { Routes } from '../client/routes.ts'
import type {
  SignInAuthorizationParams,
  SignInOptions,
  SignInResponse,
  SignOutOptions,
  SignOutResponse,
} from '../client/types.ts'
import type { Session } from '../types.ts'
import { routes, shared } from './state.ts'

/** Tells the other tabs that the session has changed, also from a page without a provider. */
function tellOthers(): void {
  if (shared.store) return shared.store.tell()
  const channel = openChannel(() => undefined)
  channel.tell('session')
  channel.close()
}

/** The routes, for a page: nobody else has a session here. */
async function routesOf(name: string): Promise<Routes> {
  return globalThis.location ? routes() : (await import('./server.ts')).refuse(name)
}

/** Lets everybody know, and returns what a caller learns that stays on the page. */
async function conclude<T>({ result, leaves, isChange }: Outcome<T>): Promise<T | void> {
  if (isChange) tellOthers()
  if (leaves) return undefined
  if (isChange) await shared.store?.renew()
  return result
}

/** Starts a sign-in, or leads to the sign-in page. */
export async function signIn(
  provider?: string,
  options?: FormData | SignInOptions,
  authorizationParams?: SignInAuthorizationParams,
): Promise<SignInResponse | void> {
  return conclude(
    await forms.signIn(await routesOf('signIn'), provider, options, authorizationParams),
  )
}

/** Signs out. */
export async function signOut(
  options?: FormData | SignOutOptions,
): Promise<SignOutResponse | void> {
  return conclude(await forms.signOut(await routesOf('signOut'), options))
}

/** Has the session changed with this data. */
export function update(data: unknown): Promise<Session | null> {
  return forms.update(routes(), data)
}
