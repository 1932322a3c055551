/** What an adapter and a store must have for a configuration. */
import type { Adapter } from '../database/adapter.ts'
import { withoutLink } from '../errors/base.ts'
import type { AuthError } from '../errors/base.ts'
import { InvalidConfiguration, MissingAdapter, MissingAdapterMethods } from '../errors/classes.ts'
import { RECORD_METHODS } from '../records/access.ts'
import { missingRecordMethods, resolveStrategy } from './adapter.ts'
import { mismatch } from './describe-value.ts'
import { findPasswordSupport } from './password-support.ts'
import type { ProviderConfig } from './provider.ts'
import type { AuthConfig } from './types.ts'

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
  [/^ending$/, 'ending sessions', ['deleteUserSessions']],
] as const

/** The optional tables, and the methods that an adapter has with them. */
const OPTIONAL = {
  factors: ['listFactors', 'createFactor', 'useFactor', 'deleteFactor'],
  passwords: ['getUser', 'getUserByEmail', 'getPassword', 'setPassword'],
} as const

const lacks =
  (adapter: Adapter) =>
  (method: keyof Adapter): boolean =>
    typeof adapter[method] !== 'function'

/** @param user - what needs the table, such as `secondStep` */
export function missingTable(
  adapter: Adapter,
  table: keyof typeof OPTIONAL,
  user: string,
): MissingAdapterMethods | null {
  const missing = OPTIONAL[table].filter(lacks(adapter))
  if (missing.length === 0) return null
  return new MissingAdapterMethods(
    `The adapter lacks ${missing.join(', ')}, which ${user} needs. Pass with: ["${table}"] to an adapter of lib-auth for SQL, or add the model to the schema of Prisma. Another adapter needs the methods.`,
  )
}

/** What a change of a password or second factor needs to end the sessions of a thief. */
function endsSessions(adapter: Adapter, config: AuthConfig, providers: Providers): boolean {
  const isChanged =
    config.secondStep !== undefined ||
    providers.some((each) => each.type === 'credentials' && findPasswordSupport(each) !== null)
  return isChanged && resolveStrategy(config) === 'database' && !adapter.listSessions
}

export function methodProblem(
  adapter: Adapter,
  config: AuthConfig,
  providers: Providers,
): MissingAdapterMethods | null {
  const users = ['createUser', 'getUser', 'getUserByEmail'] as const
  const names: string[] = [...providers.map(({ type }) => type), resolveStrategy(config)]
  if (endsSessions(adapter, config, providers)) names.push('ending')
  const needs = REQUIREMENTS.filter(([type]) => names.some((name) => type.test(name)))
  const isMissing = lacks(adapter)
  const methods = new Set(needs.flatMap(([, , required]) => [...users, ...required]))
  const missing = [...methods].filter(isMissing)
  const factors = config.secondStep ? missingTable(adapter, 'factors', 'secondStep') : null
  if (missing.length === 0) return factors
  // All of them need the methods for users.
  const affected = needs.filter(([, , required]) => [...users, ...required].some(isMissing))
  const uses = affected.map(([, use]) => use).join(', ')
  const text = `The adapter lacks ${missing.join(', ')}. Implement what is missing for ${uses}.`
  return new MissingAdapterMethods(factors ? `${text} ${withoutLink(factors.message)}` : text)
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
  const user = (['email', 'webauthn'] as const).find((each) =>
    providers.some(({ type }) => type === each),
  )
  if (!adapter && user) yield missingAdapter(user)
  else if (!adapter && resolveStrategy(config) === 'database')
    yield new MissingAdapter(
      'adapter is missing: session.strategy is "database". Set adapter, or session.strategy to "jwt".',
    )
  const problem = typeof adapter === 'object' ? methodProblem(adapter, config, providers) : null
  if (problem) yield problem
  const invalidStore = config.store === undefined ? null : storeProblem(config.store)
  if (invalidStore !== null) yield new InvalidConfiguration(invalidStore)
}
