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

/** Seconds. */
const LIMITS: Readonly<Record<string, number>> = { refreshBefore: 24 * 60 * 60, grace: 60 * 60 }

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
  if (tokens['where'] === 'account' && !config.adapter)
    yield "tokens.where is 'account', but there is no adapter. Set adapter, or leave tokens.where out."
  if (tokens['where'] === 'account' && typeof config.adapter === 'object') {
    const { adapter } = config
    const missing = (['listAccounts', 'updateAccount'] as const).filter(
      (method) => typeof adapter[method] !== 'function',
    )
    if (missing.length > 0)
      yield `tokens.where is 'account', but the adapter lacks ${missing.join(', ')}. Leave tokens.where out, or implement the methods.`
  }
  if (tokens['where'] === 'store' && !storesRecords(config))
    yield "tokens.where is 'store', but no records can be stored. Set store, for example to RedisAdapter(client)."
}
