import type { Adapter } from '../adapters/index.ts'
import type { AuthError } from '../errors/base.ts'
import {
  InvalidConfiguration,
  MissingAdapter,
  MissingAdapterMethods,
} from '../errors/configuration.ts'
import type { ProviderConfig } from './provider.ts'
import { strategyOf } from './strategy.ts'
import type { AuthConfig } from './types.ts'

type Method = keyof Adapter

const USERS: readonly Method[] = ['createUser', 'getUser', 'getUserByEmail']

export type Feature = 'accounts' | 'links' | 'sessions'

interface Requirement {
  readonly use: string
  readonly methods: readonly Method[]
}

const REQUIREMENTS: Readonly<Record<Feature, Requirement>> = {
  accounts: { use: 'OAuth accounts', methods: [...USERS, 'getUserByAccount', 'linkAccount'] },
  links: {
    use: 'magic links',
    methods: [...USERS, 'updateUser', 'createVerificationToken', 'useVerificationToken'],
  },
  sessions: {
    use: 'database sessions',
    methods: [...USERS, 'createSession', 'getSessionAndUser', 'updateSession', 'deleteSession'],
  },
}

export function featuresOf(config: AuthConfig, providers: readonly ProviderConfig[]): Feature[] {
  const types = new Set(providers.map(({ type }) => type))
  return [
    ...(types.has('oauth') || types.has('oidc') ? (['accounts'] as const) : []),
    ...(types.has('email') ? (['links'] as const) : []),
    ...(strategyOf(config) === 'database' ? (['sessions'] as const) : []),
  ]
}

export function emailWithoutAdapter(): MissingAdapter {
  return new MissingAdapter(
    'adapter is missing: a provider of type email stores its verification tokens there. Set adapter.',
  )
}

function missingAdapter(features: readonly Feature[]): AuthError[] {
  if (features.includes('links')) return [emailWithoutAdapter()]
  if (!features.includes('sessions')) return []
  return [
    new MissingAdapter(
      'adapter is missing: session.strategy is "database". Set adapter, or session.strategy to "jwt".',
    ),
  ]
}

export function neededMethods(features: readonly Feature[]): ReadonlySet<Method> {
  return new Set(features.flatMap((feature) => REQUIREMENTS[feature].methods))
}

export function missingMethods(
  adapter: Adapter,
  config: AuthConfig,
  providers: readonly ProviderConfig[],
): MissingAdapterMethods[] {
  const features = featuresOf(config, providers)
  const missing = [...neededMethods(features)].filter(
    (method) => typeof adapter[method] !== 'function',
  )
  if (missing.length === 0) return []
  const uses = features.map((feature) => REQUIREMENTS[feature].use)
  return [
    new MissingAdapterMethods(
      `The adapter lacks ${missing.join(', ')}. The configuration needs an adapter for ${uses.join(', ')}; implement the methods, or use an adapter that has them.`,
    ),
  ]
}

/** An adapter that is loaded on first use is validated then. */
export function adapterProblems(
  config: AuthConfig,
  providers: readonly ProviderConfig[],
): readonly AuthError[] {
  const { adapter, session } = config
  const features = featuresOf(config, providers)
  if (!adapter) return missingAdapter(features)
  const problems = typeof adapter === 'function' ? [] : missingMethods(adapter, config, providers)
  if (features.includes('sessions') && session?.absoluteMaxAge !== undefined)
    problems.push(
      new InvalidConfiguration(
        'session.absoluteMaxAge needs session.strategy "jwt", because a stored session has no start time. Set the strategy, or leave out session.absoluteMaxAge.',
      ),
    )
  return problems
}
