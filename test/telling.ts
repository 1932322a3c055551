/** A site with a database that writes down what it tells its application. */
import type { CallbacksOptions, EventsOptions } from '../src/index.ts'
import type { Issuer } from '../src/testing/index.ts'
import { databaseSite } from './database.ts'
import type { DatabaseSite, DatabaseSiteOptions } from './database.ts'

/** What an application was told, in the order it was. */
export type Told = [name: string, message: unknown]
export type Strategy = 'database' | 'jwt'

/** A site that writes down what it tells its application. */
export function tellingSite(
  op: Issuer,
  strategy: Strategy,
  { config, ...options }: DatabaseSiteOptions = {},
): DatabaseSite & { told: Told[] } {
  const told: Told[] = []
  const tell = (name: string) => (message: unknown) =>
    void told.push([name, structuredClone(message)])
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
      told.push(['callbacks.signIn', structuredClone(params)])
      return true
    },
    jwt(params) {
      told.push(['callbacks.jwt', structuredClone(params)])
      return params.token
    },
  }
  const site = databaseSite(op, {
    ...options,
    config: { session: { strategy }, callbacks, events, ...config },
  })
  return { ...site, told }
}

export const namesOf = (told: readonly Told[]) => told.map(([name]) => name)
export const messageOf = (told: readonly Told[], name: string) =>
  told.find(([each]) => each === name)?.[1]
