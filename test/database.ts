/** A site with an adapter whose calls are recorded and can fail. */
import type { Adapter } from '../src/adapters/index.ts'
import MemoryAdapter from '../src/adapters/memory.ts'
import type { AuthConfig, CallbacksOptions } from '../src/index.ts'
import { browser } from '../src/testing/index.ts'
import type { Browser, Issuer } from '../src/testing/index.ts'
import { configFor, oidc } from './config.ts'
import type { Log } from './config.ts'
import type { OIDCConfig } from '../src/core/config/provider.ts'

type Method = keyof Adapter

/** Optional methods of an adapter. */
const OPTIONAL = [
  'transaction',
  'updateAccount',
  'listAccounts',
  'listSessions',
  'deleteUserSessions',
  'deleteVerificationTokens',
  'deleteExpired',
  'readRecords',
  'listRecords',
  'writeRecord',
  'deleteRecords',
  'listFactors',
  'createFactor',
  'useFactor',
  'deleteFactor',
  'getPassword',
  'setPassword',
] as const satisfies readonly Method[]

/** One call of a method. */
export interface AdapterCall {
  readonly method: string
  readonly args: readonly unknown[]
}

/** Faults by method: each replaces the call `run`, or wraps it. */
export type Faults = Partial<Record<Method, (run: () => Promise<unknown>) => unknown>>

/** An adapter without some of its methods. */
export function without(adapter: Adapter, ...methods: readonly Method[]): Adapter {
  const rest = { ...adapter }
  for (const method of methods) delete rest[method]
  return rest
}

/** A class instance whose methods need `this`. */
export function instanceOf(adapter: Adapter): Adapter {
  class Database implements Pick<Adapter, 'getUser'> {
    readonly #adapter = adapter
    call(method: Method, args: unknown[]): unknown {
      return Reflect.apply(this.#adapter[method] ?? (() => undefined), this.#adapter, args)
    }
    async getUser(id: string) {
      return (await this.#adapter.getUser?.(id)) ?? null
    }
  }
  for (const method of Object.keys(adapter))
    Object.defineProperty(Database.prototype, method, {
      value(this: Database, ...args: unknown[]) {
        return this.call(method as Method, args)
      },
    })
  return new Database()
}

/** Adapters with which every flow has the same result. */
export const ADAPTERS: Readonly<Record<string, () => Adapter>> = {
  'with transactions': () => MemoryAdapter(),
  'without transactions': () => without(MemoryAdapter(), 'transaction'),
  'with required methods only': () => without(MemoryAdapter(), ...OPTIONAL),
  'without methods that delete': () =>
    without(MemoryAdapter(), ...OPTIONAL, 'deleteUser', 'unlinkAccount'),
  'that is a class instance': () => instanceOf(MemoryAdapter()),
}

/** An adapter whose calls are recorded. */
export interface RecordedAdapter {
  readonly adapter: Adapter
  readonly calls: AdapterCall[]
  readonly faults: Faults
  /** Names of the methods called since this function was last called. */
  readonly called: () => string[]
}

/** Records the calls of an adapter and applies faults. */
export function recordCalls(inner: Adapter): RecordedAdapter {
  const calls: AdapterCall[] = []
  const faults: Faults = {}
  const wrap = (adapter: Adapter): Adapter =>
    new Proxy(adapter, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name)
        if (typeof method !== 'function') return method
        return async (...args: unknown[]) => {
          calls.push({ method: String(name), args })
          const [work] = args
          const isTransaction = name === 'transaction' && typeof work === 'function'
          const recordedWork = (each: Adapter): unknown =>
            typeof work === 'function' ? Reflect.apply(work, undefined, [wrap(each)]) : undefined
          const run = async (): Promise<unknown> =>
            Reflect.apply(method, target, isTransaction ? [recordedWork] : args)
          const fault: unknown = Reflect.get(faults, name)
          return typeof fault === 'function' ? Reflect.apply(fault, undefined, [run]) : run()
        }
      },
    })
  return {
    adapter: wrap(inner),
    calls,
    faults,
    called: () => calls.splice(0).map(({ method }) => method),
  }
}

/** Faults: the database is down, does not respond, or its response is lost. */
export const down = (): never => {
  throw new Error('The database is down.')
}
export const hang = (): Promise<never> => new Promise(() => undefined)
export const lost = async (run: () => Promise<unknown>): Promise<never> => {
  await run()
  return down()
}

/** Applies a fault to the first call only. */
export function once(
  fault: (run: () => Promise<unknown>) => unknown,
): (run: () => Promise<unknown>) => unknown {
  let left = 1
  return (run) => (left-- > 0 ? fault(run) : run())
}

/** A site whose users and sessions are in a database. */
export interface DatabaseSite extends RecordedAdapter {
  readonly config: AuthConfig
  readonly log: Log
  readonly tab: Browser
  /** The adapter itself, whose calls are not recorded. */
  readonly stored: Adapter
  readonly open: () => Browser
}

/** Options of a site; by default it has a complete adapter and two OpenID providers, `op` and `other`. */
export interface DatabaseSiteOptions {
  readonly adapter?: Adapter
  readonly provider?: Partial<OIDCConfig>
  readonly config?: Partial<AuthConfig> & { callbacks?: CallbacksOptions }
}

/** Opens a site. */
export function databaseSite(op: Issuer, options: DatabaseSiteOptions = {}): DatabaseSite {
  const stored = options.adapter ?? MemoryAdapter()
  const recorded = recordCalls(stored)
  const { config, log } = configFor(op, {
    providers: [
      oidc(op, options.provider),
      oidc(op, { id: 'other', name: 'Other OP', ...options.provider }),
    ],
    adapter: recorded.adapter,
    ...options.config,
  })
  const open = () => browser(config, { issuer: op })
  return { ...recorded, config, log, stored, open, tab: open() }
}

/** The types of the errors that were logged. */
export function errorTypes({ errors }: Log): unknown[] {
  return errors.map((error) => Reflect.get(error, 'type'))
}

/** The default user of the issuer, as stored. */
export const ADA = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  image: 'https://issuer.test/ada.png',
}

/** A session as it is stored, with its user. */
export async function rowOf({ stored }: DatabaseSite, sessionToken: string) {
  return (await stored.getSessionAndUser?.(sessionToken)) ?? null
}

/** A site with Ada signed in and no recorded calls. */
export async function signedIn(
  op: Issuer,
  options: DatabaseSiteOptions = {},
): Promise<DatabaseSite> {
  const site = databaseSite(op, options)
  await site.tab.signIn('op')
  const isHeld = site.tab.cookies.all().some(({ name }) => name.includes('session-token'))
  if (site.log.errors.length > 0 || !isHeld)
    throw new Error('Ada is not signed in.', { cause: site.log.errors[0] })
  site.called()
  return site
}
