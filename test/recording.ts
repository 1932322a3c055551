/** A site with an adapter that records the calls of callbacks and events. */
import type { CallbacksOptions, EventsOptions } from '../src/index.ts'
import type { Issuer } from '../src/testing/index.ts'
import { databaseSite } from './database.ts'
import type { DatabaseSite, DatabaseSiteOptions } from './database.ts'

/** A call of a callback or event handler, with its argument. */
export type HookCall = [name: string, message: unknown]
export type Strategy = 'database' | 'jwt'

/** A site that records the calls of callbacks and events, in order. */
export function recordingSite(
  op: Issuer,
  strategy: Strategy,
  { config, ...options }: DatabaseSiteOptions = {},
): DatabaseSite & { hookCalls: HookCall[] } {
  const hookCalls: HookCall[] = []
  const recordEvent = (name: string) => (message: unknown) =>
    void hookCalls.push([name, structuredClone(message)])
  const events: EventsOptions = {
    createUser: recordEvent('createUser'),
    updateUser: recordEvent('updateUser'),
    linkAccount: recordEvent('linkAccount'),
    signIn: recordEvent('signIn'),
    signOut: recordEvent('signOut'),
    session: recordEvent('session'),
  }
  const callbacks: CallbacksOptions = {
    signIn(params) {
      hookCalls.push(['callbacks.signIn', structuredClone(params)])
      return true
    },
    jwt(params) {
      hookCalls.push(['callbacks.jwt', structuredClone(params)])
      return params.token
    },
  }
  const site = databaseSite(op, {
    ...options,
    config: { session: { strategy }, callbacks, events, ...config },
  })
  return { ...site, hookCalls }
}

export const namesOf = (hookCalls: readonly HookCall[]) => hookCalls.map(([name]) => name)
export const messageOf = (hookCalls: readonly HookCall[], name: string) =>
  hookCalls.find(([each]) => each === name)?.[1]
