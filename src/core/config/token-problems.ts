/** Problems of the option `tokens`. */
import type { AuthConfig } from './types.ts'
import { isRecord } from '../is-record.ts'
import { mismatch } from './describe-value.ts'
import { storesRecords } from './adapter.ts'

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
      yield `tokens.where is 'account', but the adapter lacks ${missing.join(' and ')}. Add them, or leave tokens.where out.`
  }
}

export function* tokenProblems(config: AuthConfig): Iterable<string> {
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
  for (const [name, limit] of Object.entries(LIMITS)) {
    const value = tokens[name]
    if (value !== undefined && !(typeof value === 'number' && value >= 0 && value <= limit))
      yield mismatch(`tokens.${name}`, `a number of seconds from 0 to ${limit}`, value)
  }
  if (tokens['where'] === 'account') yield* accountProblems(config)
  if (tokens['where'] === 'store' && !storesRecords(config))
    yield "tokens.where is 'store', but no records can be stored. Set store, for example to RedisAdapter(client)."
}
