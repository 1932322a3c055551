import type { Adapter, RecordStore } from '../database/adapter.ts'
import { lazily } from '../async/cache.ts'
import { TIMEOUTS, withTimeout } from '../async/timeout.ts'
import type { AuthError } from '../errors/base.ts'
import {
  AdapterError,
  InvalidConfiguration,
  MissingAdapter,
  MissingAdapterMethods,
} from '../errors/classes.ts'
import { RECORD_METHODS } from '../records/access.ts'
import type { Awaitable } from '../types.ts'
import { describeKind, mismatch } from './describe-value.ts'
import { findPasswordSupport } from './password-support.ts'
import type { ProviderConfig } from './provider.ts'
import type { AuthConfig, SessionOptions } from './types.ts'

/** The configured strategy, else `database` if there is an adapter. */
export function resolveStrategy({
  adapter,
  session,
}: Pick<AuthConfig, 'adapter' | 'session'>): NonNullable<SessionOptions['strategy']> {
  return session?.strategy ?? (adapter ? 'database' : 'jwt')
}

const STORED = { credentials: 'passwords', email: 'verification tokens', webauthn: 'passkeys' }

export function missingAdapter(type: keyof typeof STORED): MissingAdapter {
  return new MissingAdapter(
    `adapter is missing: a provider of type ${type} stores its ${STORED[type]} there. Set adapter.`,
  )
}

type Providers = readonly ProviderConfig[]

/** By type of provider, or session strategy: what is stored in the adapter, and the methods that it requires. */
const REQUIREMENTS = [
  [/^(?:oauth|oidc)$/, 'OAuth accounts', ['getUserByAccount', 'linkAccount']],
  [/^email$/, 'magic links', ['updateUser', 'createVerificationToken', 'useVerificationToken']],
  [
    /^webauthn$/,
    'passkeys',
    [
      'getUserByAccount',
      'linkAccount',
      'createAuthenticator',
      'getAuthenticator',
      'listAuthenticatorsByUserId',
      'updateAuthenticatorCounter',
    ],
  ],
  [
    /^database$/,
    'database sessions',
    ['createSession', 'getSessionAndUser', 'updateSession', 'deleteSession'],
  ],
] as const

/** The optional tables, and the methods that an adapter has with them. */
const OPTIONAL = {
  factors: ['listFactors', 'createFactor', 'useFactor', 'deleteFactor'],
  passwords: ['getUser', 'getUserByEmail', 'getPassword', 'setPassword'],
} as const

/** @param user - what needs the table, such as `secondStep` */
export function missingTable(
  adapter: Adapter,
  table: keyof typeof OPTIONAL,
  user: string,
): MissingAdapterMethods | null {
  const missing = OPTIONAL[table].filter((name) => typeof adapter[name] !== 'function')
  if (missing.length === 0) return null
  return new MissingAdapterMethods(
    `The adapter lacks ${missing.join(', ')}, which ${user} needs. Pass with: ["${table}"] to an adapter of lib-auth for SQL, or add the model to the schema of Prisma. Another adapter needs the methods.`,
  )
}

/** Without either method, the session of a thief would outlive a reset of the password, or a new second factor. */
function endingProblem(
  adapter: Adapter,
  config: AuthConfig,
  providers: Providers,
): MissingAdapterMethods | null {
  const isNeeded =
    config.secondStep !== undefined ||
    providers.some((each) => each.type === 'credentials' && findPasswordSupport(each) !== null)
  const isStored = resolveStrategy(config) === 'database'
  if (!isNeeded || !isStored || adapter.deleteUserSessions || adapter.listSessions) return null
  return new MissingAdapterMethods(
    'The adapter lacks deleteUserSessions, without which sessions do not end after a change of a password or second factor. Implement it, or listSessions.',
  )
}

function methodProblem(
  adapter: Adapter,
  config: AuthConfig,
  providers: Providers,
): MissingAdapterMethods | null {
  const users = ['createUser', 'getUser', 'getUserByEmail'] as const
  const names = [...providers.map(({ type }) => type), resolveStrategy(config)]
  const needs = REQUIREMENTS.filter(([type]) => names.some((name) => type.test(name)))
  const methods = needs.flatMap(([, , required]) => [...required])
  const missing = [...new Set([...(needs.length > 0 ? users : []), ...methods])].filter(
    (method) => typeof adapter[method] !== 'function',
  )
  if (missing.length === 0) {
    const table = config.secondStep ? missingTable(adapter, 'factors', 'secondStep') : null
    return table ?? endingProblem(adapter, config, providers)
  }
  const uses = needs.map(([, use]) => use).join(', ')
  return new MissingAdapterMethods(
    `The adapter lacks ${missing.join(', ')}. Implement the methods, which are required for ${uses}.`,
  )
}

function missingRecordMethods(store: Partial<RecordStore>): readonly string[] {
  return RECORD_METHODS.filter((method) => typeof store[method] !== 'function')
}

/** Whether records can be stored. An adapter that is loaded on first use may still lack the methods. */
export function storesRecords({ adapter, store }: Pick<AuthConfig, 'adapter' | 'store'>): boolean {
  if (store !== undefined || typeof adapter === 'function') return true
  return adapter !== undefined && missingRecordMethods(adapter).length === 0
}

function storeProblem(store: unknown): string | null {
  const advice =
    'Set it to an adapter such as RedisAdapter(client) or KyselyAdapter(db, { with: ["records"] }).'
  if (typeof store !== 'object' || store === null)
    return `${mismatch('store', `an object with the methods ${RECORD_METHODS.join(', ')}`, store)} ${advice}`
  const missing = missingRecordMethods(store)
  return missing.length > 0 ? `store lacks ${missing.join(', ')}. ${advice}` : null
}

export function* adapterProblems(config: AuthConfig, providers: Providers): Iterable<AuthError> {
  const { adapter } = config
  const isStored = resolveStrategy(config) === 'database'
  const user = (['email', 'webauthn'] as const).find((each) =>
    providers.some(({ type }) => type === each),
  )
  if (!adapter && user) yield missingAdapter(user)
  else if (!adapter && isStored)
    yield new MissingAdapter(
      'adapter is missing: session.strategy is "database". Set adapter, or session.strategy to "jwt".',
    )
  const problem = typeof adapter === 'object' ? methodProblem(adapter, config, providers) : null
  if (problem) yield problem
  const invalidStore = config.store === undefined ? null : storeProblem(config.store)
  if (invalidStore !== null) yield new InvalidConfiguration(invalidStore)
}

async function loadAdapter(load: () => Awaitable<Adapter>): Promise<Adapter> {
  const what = 'The function that loads the adapter'
  const timeoutError = (message: string) => new AdapterError(message)
  let adapter: Adapter
  try {
    adapter = await withTimeout(load(), { what, timeout: TIMEOUTS.adapter, timeoutError })
  } catch (cause) {
    if (cause instanceof AdapterError) throw cause
    throw new AdapterError(`${what} failed.`, cause instanceof Error ? { cause } : undefined)
  }
  // The required methods depend on the configuration, and are validated by the caller.
  if (typeof adapter === 'object' && adapter !== null) return adapter
  throw new InvalidConfiguration(
    `${what} returned ${describeKind(adapter)}, not an adapter. Write it like adapter: () => import("./database").then(({ adapter }) => adapter).`,
  )
}

/** The adapter, or a function that loads and validates it on first use; a failed load is retried on the next call. */
export function adapterSource(
  config: AuthConfig,
  providers: Providers,
): Adapter | (() => Awaitable<Adapter>) | undefined {
  const { adapter: configured } = config
  if (typeof configured !== 'function') return configured
  return lazily(async () => {
    const adapter = await loadAdapter(configured)
    const problem = methodProblem(adapter, config, providers)
    if (problem) throw problem
    return adapter
  })
}
