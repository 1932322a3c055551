import type { Adapter } from '../adapters/index.ts'
import {
  InvalidConfiguration,
  MissingAdapter,
  MissingAdapterMethods,
} from '../errors/configuration.ts'
import type { ProviderConfig } from './provider.ts'
import { strategyOf } from './strategy.ts'
import type { AuthConfig } from './types.ts'
import type { Rule, RuleRow } from './validate.ts'

type Method = keyof Adapter

const USERS: readonly Method[] = ['createUser', 'getUser', 'getUserByEmail']

type Feature = 'accounts' | 'links' | 'sessions'

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

/** The error of a provider of type `email` without an adapter. */
export const EMAIL_WITHOUT_ADAPTER: string =
  'adapter is missing: a provider of type email stores its verification tokens there. Set adapter.'

function neededMethods(features: readonly Feature[]): ReadonlySet<Method> {
  return new Set(features.flatMap((feature) => REQUIREMENTS[feature].methods))
}

export function* missingMethods(adapter: Adapter, features: readonly Feature[]): Iterable<string> {
  const missing = [...neededMethods(features)].filter(
    (method) => typeof adapter[method] !== 'function',
  )
  const uses = features.map((feature) => REQUIREMENTS[feature].use)
  if (missing.length > 0)
    yield `The adapter lacks ${missing.join(', ')}. The configuration needs an adapter for ${uses.join(', ')}; implement the methods, or use an adapter that has them.`
}

type FeatureRule = (config: AuthConfig, features: readonly Feature[]) => Iterable<string>

const adapterProblem: FeatureRule = function* ({ adapter }, features) {
  if (adapter) return
  if (features.includes('links')) yield EMAIL_WITHOUT_ADAPTER
  else if (features.includes('sessions'))
    yield 'adapter is missing: session.strategy is "database". Set adapter, or session.strategy to "jwt".'
}

/** An adapter that is loaded on first use is validated then. */
const methodProblem: FeatureRule = ({ adapter }, features) =>
  !adapter || typeof adapter === 'function' ? [] : missingMethods(adapter, features)

const timeoutProblem: FeatureRule = function* ({ adapter, session }, features) {
  if (adapter && features.includes('sessions') && session?.absoluteMaxAge !== undefined)
    yield 'session.absoluteMaxAge needs session.strategy "jwt", because a stored session has no start time. Set the strategy, or leave out session.absoluteMaxAge.'
}

function forFeatures(rule: FeatureRule): Rule {
  return ({ config, providers }) => rule(config, featuresOf(config, providers))
}

export const adapterRules: readonly RuleRow[] = [
  [MissingAdapter, forFeatures(adapterProblem)],
  [MissingAdapterMethods, forFeatures(methodProblem)],
  [InvalidConfiguration, forFeatures(timeoutProblem)],
]
