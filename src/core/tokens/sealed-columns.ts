/** Encrypts the tokens in the columns of an account. */
import type { AdapterAccountKey } from '../database/adapter.ts'
import type { AccountColumns } from '../database/methods.ts'
import { seal } from '../crypto/seal.ts'
import type { Claims } from '../crypto/seal.ts'
import type { Logger } from '../log/logger.ts'
import { tokenCache } from '../crypto/token-cache.ts'
import type { TokenCache } from '../crypto/token-cache.ts'
import { openCached, tokenSealing } from './open-cached.ts'
import { TOKEN_COLUMNS } from './stored-tokens.ts'
import type { TokenColumn } from './stored-tokens.ts'

/** In front of a sealed value, so that a plain one is recognized. */
const PREFIX = 'lib1.'

interface Sealer {
  readonly secrets: readonly string[]
  readonly log: Logger
  readonly cache: TokenCache<Claims>
}

type Row = AdapterAccountKey & { readonly [C in TokenColumn]?: unknown }

/** Moved to another row or column, a value does not open. */
function isOf(row: AdapterAccountKey, column: TokenColumn, claims: Claims): boolean {
  return (
    claims['provider'] === row.provider &&
    claims['account'] === row.providerAccountId &&
    claims['column'] === column
  )
}

async function sealColumns<R extends Row>(row: R, { secrets }: Sealer): Promise<R> {
  const sealed: Partial<Record<TokenColumn, string>> = {}
  for (const column of TOKEN_COLUMNS) {
    const value = row[column]
    if (typeof value !== 'string' || value === '') continue
    const claims = { provider: row.provider, account: row.providerAccountId, column, value }
    sealed[column] = PREFIX + (await seal(claims, tokenSealing(secrets)))
  }
  return { ...row, ...sealed }
}

async function openColumn(
  row: Row,
  column: TokenColumn,
  { secrets, log, cache }: Sealer,
): Promise<unknown> {
  const value = row[column]
  if (typeof value !== 'string' || !value.startsWith(PREFIX)) return value
  const claims = await openCached(value.slice(PREFIX.length), secrets, cache)
  if (claims && isOf(row, column, claims)) return claims['value']
  log.warnOnce(
    'token-not-opened',
    `The ${column} of an account of provider ${row.provider} was encrypted with a secret that is not in the list, or for another row, so it is treated as missing: the user has to connect the account again. Keep replaced secrets in the list.`,
    row.provider,
  )
  return null
}

/** Plain values are returned as they are. */
async function openColumns<R extends Row>(row: R, sealer: Sealer): Promise<R> {
  const opened: Partial<Record<TokenColumn, unknown>> = {}
  for (const column of TOKEN_COLUMNS) {
    if (row[column] === undefined) continue
    opened[column] = await openColumn(row, column, sealer)
  }
  return { ...row, ...opened }
}

/** @param secrets - newest first: the first one encrypts, each one decrypts */
export function sealedColumns(secrets: readonly string[], log: Logger): AccountColumns {
  const sealer: Sealer = { secrets, log, cache: tokenCache() }
  return { seal: (row) => sealColumns(row, sealer), open: (row) => openColumns(row, sealer) }
}
