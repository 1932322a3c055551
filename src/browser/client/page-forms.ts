/** Sign-in, sign-out and update with the routes of the page: loaded on demand by `page-functions.ts`. */
import type { Session } from '../../core/types.ts'
import { finish } from './finish.ts'
import * as forms from './forms.ts'
import { routes } from './page-state.ts'
import type { Routes } from './routes.ts'
import type { Client, SignInResponse, SignOutResponse } from './types.ts'

async function requireRoutes(name: string): Promise<Routes> {
  if (globalThis.location) return routes()
  return (await import('./outside-browser.ts')).rejectCall(name)
}

export async function signIn(
  ...args: Parameters<Client['signIn']>
): Promise<SignInResponse | void> {
  return finish(await forms.signIn(await requireRoutes('signIn'), ...args))
}

export async function signOut(
  ...args: Parameters<Client['signOut']>
): Promise<SignOutResponse | void> {
  return finish(await forms.signOut(await requireRoutes('signOut'), ...args))
}

export function update(data: unknown): Promise<Session | null> {
  return forms.update(routes(), data)
}
