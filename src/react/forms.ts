import { openChannel } from '../client/channel.ts'
import * as forms from '../client/forms.ts'
import type { FormResult } from '../client/forms.ts'
import type { Routes } from '../client/routes.ts'
import type { Client, SignInResponse, SignOutResponse } from '../client/types.ts'
import type { Session } from '../types.ts'
import { routes, shared } from './state.ts'

function notifyTabs(): void {
  if (shared.store) return shared.store.notify()
  const channel = openChannel(() => undefined)
  channel.send('session')
  channel.close()
}

async function routesOf(name: string): Promise<Routes> {
  return globalThis.location ? routes() : (await import('./server.ts')).rejectOutsideBrowser(name)
}

async function finish<T>({ result, isRedirecting, changesUser }: FormResult<T>): Promise<T | void> {
  if (changesUser) notifyTabs()
  if (isRedirecting) return undefined
  if (changesUser) await shared.store?.reload()
  return result
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
