/** A site with a database that writes down what it tells its application. */
import type { CallbacksOptions, EventsOptions } from '../src/index.ts'
import type { Issuer } from '../src/testing/index.ts'
import { databaseSite } from './database.ts'
import type { DatabaseSite, DatabaseSiteOptions } from './database.ts'

/** What an application was hookCalls, in the order it was. */
export type HookCall = [name: string, message: unknown]
export type Strategy = 'database' | 'jwt'

/** A site that writes down what it tells its application. */
export function recordingSite(
  op: Issuer,
  strategy: Strategy,
  { config, ...options }: DatabaseSiteOptions = {},
): DatabaseSite & { hookCalls: HookCall[] } {
  const hookCalls: HookCall[] = []
  const tell = (name: string) => (message: unknown) =>
    void hookCalls.push([name, structuredClone(message)])
  const events: EventsOptions = {
    createUser: tell('createUser'),
    updateUser: tell('updateUser'),
    linkAccount: tell('linkAccount'),
    signIn: tell('signIn'),
    signOut: tell('signOut'),
    session: tell('session'),
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
