/** Where the tokens of providers are stored, and whether several servers can share them. */
import type { Adapter } from '../../core/database/adapter.ts'
import { storesRecords } from '../../core/config/adapter.ts'
import { topic } from './context.ts'
import type { Finding, DoctorContext } from './context.ts'

const STORE =
  'set store, for example to RedisAdapter(client) or KyselyAdapter(db, { with: ["records"] })'

export function placeOf(
  { tokens = {}, store }: DoctorContext['config'],
  adapter?: Adapter,
): string {
  const { where } = tokens
  if (where) return where
  if (adapter?.listAccounts && adapter.updateAccount) return 'account'
  return storesRecords({ adapter, store }) ? 'store' : 'cookie'
}

/** Nothing without the option `tokens`. */
export function* checkTokens({ config }: DoctorContext, adapter?: Adapter): Generator<Finding> {
  const { tokens, store } = config
  if (!tokens) return
  const { ok, warning } = topic('tokens')
  const place = placeOf(config, adapter)
  const text = tokens.stored === 'plain' ? 'in plain text' : 'encrypted'
  const hasRecords = storesRecords({ adapter, store })
  if (place === 'account') yield ok`those of providers are stored with the account, ${text}.`
  if (place === 'store') yield ok`those of providers are stored as records, for each session.`
  if (place === 'cookie') yield ok`those of providers are stored in cookies, for each session.`
  const race =
    'two servers could use the same refresh token at the same time, after which some providers end the access'
  if (!hasRecords)
    yield warning`there is no store of records, so ${race}. → For several servers, ${STORE}${tokens.where === 'cookie' ? ', and leave tokens.where out' : ''}.`
  // Servers do not see the cookies of each other's responses.
  else if (place === 'cookie')
    yield warning`servers do not share cookies, so ${race}. → For several servers, leave tokens.where out.`
}
