/** Encrypts the tokens in the columns of an account. */
import { all, chain } from '../async/awaitable.ts'
import type { AdapterAccountKey } from '../database/adapter.ts'
import type { AccountColumns } from '../database/rules.ts'
import { seal } from '../crypto/seal.ts'
import type { Claims } from '../crypto/seal.ts'
import type { Logger } from '../log/logger.ts'
import { tokenCache } from '../crypto/token-cache.ts'
import type { TokenCache } from '../crypto/token-cache.ts'
import { openCached, tokenSealing } from './open-cached.ts'
import { TOKEN_COLUMNS } from './stored-tokens.ts'
import type { TokenColumn } from './stored-tokens.ts'
import type { Awaitable } from '../types.ts'

/** In front of a sealed value, so that a plain one is recognized. */
const PREFIX = 'lib1.'

/** Who issues the tokens of a provider: the same id may name another one for another tenant. */
export type FindIssuer = (provider: string) => string | undefined

interface Sealer {
  /** Newest first: the first one encrypts, each one decrypts. */
  readonly secrets: readonly string[]
  readonly issuedBy: FindIssuer
  readonly log: Logger
  readonly cache: TokenCache<Claims>
}

type Row = AdapterAccountKey & { readonly [C in TokenColumn]?: unknown }

interface Place {
  readonly provider: string
  readonly account: string
  readonly column: TokenColumn
  readonly issuedBy: string | undefined
}

function placeOf(row: AdapterAccountKey, column: TokenColumn, issuedBy: FindIssuer): Place {
  const { provider, providerAccountId: account } = row
  return { provider, account, column, issuedBy: issuedBy(provider) }
}

/** Moved to another row or column, or read by another tenant, a value does not open. */
function isOf({ provider, account, column, issuedBy }: Place, claims: Claims): boolean {
  // Values of the first releases have no issuer.
  const { issuedBy: of = issuedBy } = claims
  return (
    claims['provider'] === provider &&
    claims['account'] === account &&
    claims['column'] === column &&
    of === issuedBy
  )
}

async function sealColumns<R extends Row>(row: R, { secrets, issuedBy }: Sealer): Promise<R> {
  const sealed: Partial<Record<TokenColumn, string>> = {}
  for (const column of TOKEN_COLUMNS) {
    const value = row[column]
    if (typeof value !== 'string' || value === '') continue
    const claims = { ...placeOf(row, column, issuedBy), value }
    sealed[column] = PREFIX + (await seal(claims, tokenSealing(secrets)))
  }
  return { ...row, ...sealed }
}

function openColumn(
  row: Row,
  column: TokenColumn,
  { secrets, issuedBy, log, cache }: Sealer,
): Awaitable<unknown> {
  const value = row[column]
  if (typeof value !== 'string' || !value.startsWith(PREFIX)) return value
  const place = placeOf(row, column, issuedBy)
  // No call reads the tokens of a provider that is not configured.
  if (place.issuedBy === undefined) return null
  return chain(openCached(value.slice(PREFIX.length), secrets, cache), (claims) => {
    if (claims && isOf(place, claims)) return claims['value']
    log.warnOnce(
      'token-not-opened',
      `The ${column} of an account of provider ${row.provider} was encrypted with a secret that is not in the list, for another row or for another client (issuer, token endpoint or client id), so it is treated as missing: the user has to connect the account again. Keep replaced secrets in the list.`,
      row.provider,
    )
    return null
  })
}

/** Plain values are returned as they are. */
function openColumns<R extends Row>(row: R, sealer: Sealer): Awaitable<R> {
  const opened = all(TOKEN_COLUMNS.map((column) => openColumn(row, column, sealer)))
  return chain(opened, ([access_token, refresh_token, id_token]) =>
    Object.assign({}, row, { access_token, refresh_token, id_token }),
  )
}

export function sealedColumns(settings: Omit<Sealer, 'cache'>): AccountColumns {
  const sealer: Sealer = { ...settings, cache: tokenCache() }
  return { seal: (row) => sealColumns(row, sealer), open: (row) => openColumns(row, sealer) }
}
