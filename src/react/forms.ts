import { finish } from '../client/finish.ts'
import * as forms from '../client/forms.ts'
import { routes } from '../client/page-state.ts'
import type { Routes } from '../client/routes.ts'
import type { Client, SignInResponse, SignOutResponse } from '../client/types.ts'
import type { Session } from '../types.ts'

async function routesOf(name: string): Promise<Routes> {
  return globalThis.location ? routes() : (await import('./server.ts')).rejectOutsideBrowser(name)
}

export async function signIn(
  ...args: Parameters<Client['signIn']>
): Promise<SignInResponse | void> {
  return finish(await forms.signIn(await routesOf('signIn'), ...args))
}

export async function signOut(
  ...args: Parameters<Client['signOut']>
): Promise<SignOutResponse | void> {
  return finish(await forms.signOut(await routesOf('signOut'), ...args))
}

export function update(data: unknown): Promise<Session | null> {
  return forms.update(routes(), data)
}
