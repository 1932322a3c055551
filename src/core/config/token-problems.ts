/** Problems of the option `tokens`. */
import type { ProviderConfig } from './provider.ts'
import type { AuthConfig } from './types.ts'
import { isRecord } from '../is-record.ts'
import { describeValue, mismatch } from './describe-value.ts'
import { storesRecords } from './adapter.ts'

type Providers = readonly Pick<ProviderConfig, 'id' | 'type'>[]

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  where: ['account', 'store', 'cookie'],
  stored: ['encrypted', 'plain'],
  onLostGrant: ['end', 'keep'],
  revokeOnSignOut: ['never', 'session'],
}

const ACCOUNT_METHODS = ['listAccounts', 'updateAccount'] as const

/** Seconds. */
const LIMITS: Readonly<Record<string, number>> = { refreshBefore: 24 * 60 * 60, grace: 60 * 60 }

function* accountProblems({ adapter }: AuthConfig): Iterable<string> {
  if (!adapter)
    yield "tokens.where is 'account', but there is no adapter. Set adapter, or leave tokens.where out."
  else if (typeof adapter !== 'function') {
    const missing = ACCOUNT_METHODS.filter((name) => !adapter[name])
    if (missing.length > 0)
      yield `tokens.where is 'account', but the adapter lacks ${missing.join(' and ')}. Add what is missing, or leave tokens.where out.`
  }
}

function* proxyProblems(ids: readonly string[], providers: Providers): Iterable<string> {
  const known = providers.flatMap(({ id, type }) =>
    type === 'oauth' || type === 'oidc' ? [id] : [],
  )
  for (const id of ids.filter((each) => !known.includes(each)))
    yield `tokens.refreshInProxy contains ${describeValue(id)}, which is not the id of a provider of type oauth or oidc. Configured ids: ${known.join(', ') || 'none'}.`
}

export function* tokenProblems(config: AuthConfig, providers: Providers): Iterable<string> {
  const tokens: unknown = config.tokens
  if (tokens === undefined) return
  if (!isRecord(tokens)) {
    yield `${mismatch('tokens', 'an object', tokens)} Write tokens: {}.`
    return
  }
  for (const [name, choices] of Object.entries(CHOICES)) {
    const value = tokens[name]
    const texts = choices.map((each) => `"${each}"`).join(' or ')
    if (value !== undefined && !choices.some((each) => each === value))
      yield mismatch(`tokens.${name}`, texts, value)
  }
  const ids: unknown = tokens['refreshInProxy']
  if (ids !== undefined && !(Array.isArray(ids) && ids.every((id) => typeof id === 'string')))
    yield `${mismatch('tokens.refreshInProxy', 'a list of provider ids', ids)} Write ['google'].`
  else if (Array.isArray(ids)) yield* proxyProblems(ids, providers)
  for (const [name, limit] of Object.entries(LIMITS)) {
    const value = tokens[name]
    if (value !== undefined && !(typeof value === 'number' && value >= 0 && value <= limit))
      yield mismatch(`tokens.${name}`, `a number of seconds from 0 to ${limit}`, value)
  }
  if (tokens['where'] === 'account') yield* accountProblems(config)
  if (tokens['where'] === 'store' && !storesRecords(config))
    yield "tokens.where is 'store', but no records can be stored. Set store, for example to RedisAdapter(client)."
}
