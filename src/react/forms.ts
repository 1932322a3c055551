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

function tellOthers(): void {
  if (shared.store) return shared.store.tell()
  const channel = openChannel(() => undefined)
  channel.tell('session')
  channel.close()
}

async function routesOf(name: string): Promise<Routes> {
  return globalThis.location ? routes() : (await import('./server.ts')).refuse(name)
}

async function conclude<T>({ result, leaves, isChange }: Outcome<T>): Promise<T | void> {
  if (isChange) tellOthers()
  if (leaves) return undefined
  if (isChange) await shared.store?.renew()
  return result
}

export async function signIn(
  provider?: string,
  options?: FormData | SignInOptions,
  authorizationParams?: SignInAuthorizationParams,
): Promise<SignInResponse | void> {
  return conclude(
    await forms.signIn(await routesOf('signIn'), provider, options, authorizationParams),
  )
}

export async function signOut(
  options?: FormData | SignOutOptions,
): Promise<SignOutResponse | void> {
  return conclude(await forms.signOut(await routesOf('signOut'), options))
}

export function update(data: unknown): Promise<Session | null> {
  return forms.update(routes(), data)
}
