/** Where the tokens of one user at one provider are stored. */
import { oncePerKey } from '../async/cache.ts'
import { onlyStored } from '../checks/stored-subject.ts'
import type { ResolvedConfig, SessionContext, Subject } from '../contracts.ts'
import type { StoredRecord } from '../database/adapter.ts'
import { InvalidConfiguration } from '../errors/classes.ts'
import { sha256 } from '../crypto/digest.ts'
import { seal } from '../crypto/seal.ts'
import type { Claims } from '../crypto/seal.ts'
import { deleteChunked, writeChunked } from '../cookies/jar.ts'
import { readChunked } from '../cookies/reader.ts'
import type { Database, DatabaseAccess } from '../database/database.ts'
import { userOfSubject } from '../identity/evict.ts'
import type { RecordAccess } from '../records/access.ts'
import { asRecord } from '../is-record.ts'
import { tokenCache } from '../crypto/token-cache.ts'
import { openCached, tokenSealing } from './open-cached.ts'
import { checkRoom, probeCookies, tokenCookie } from './token-cookies.ts'
import { isReplaced, readTokens, toColumns } from './stored-tokens.ts'
import type { StoredTokens } from './stored-tokens.ts'

export interface TokenVault {
  /** `null`: the user has no account at the provider. */
  read(): Promise<StoredTokens | null>
  write(tokens: StoredTokens): Promise<void>
  /** Writes what follows the tokens that were read last; nothing if they were deleted or replaced meanwhile. */
  replace(tokens: StoredTokens): Promise<void>
  /** Deletes these tokens; nothing if they were replaced meanwhile. */
  remove(tokens: StoredTokens): Promise<void>
  /**
   * Of cookies: changes one that shows whether those of the tokens can be set. @throws RangeError if they take too much room
   */
  probe?(tokens: StoredTokens): Promise<void>
  /** Whether every process reads what one has written; else only the browser of this request has it. */
  readonly isShared: boolean
  /** Whether the tokens end with the session. */
  readonly isOfSession: boolean
}

export interface VaultKey {
  readonly userId: string
  readonly provider: string
  /** Selects one of several accounts at the provider. @default the first, in the order of their ids */
  readonly account: string | undefined
}

export interface SessionKey extends Omit<VaultKey, 'userId'> {
  /** Tokens that are stored for one session are sealed with its id: those of another session do not open. */
  readonly subject: Subject
}

function accountVault(
  ctx: SessionContext,
  database: Database,
  { userId, provider, account }: VaultKey,
): TokenVault {
  let last: StoredTokens | null = null
  // Later reads are of the same account: databases return rows in any order.
  let selected = account
  return {
    isShared: true,
    isOfSession: false,
    async read() {
      const rows = await database.call(ctx, 'listAccounts', userId)
      const ids = rows.flatMap((row) => (row.provider === provider ? row.providerAccountId : []))
      selected ??= ids.sort()[0]
      const found = rows.find(
        (row) => row.provider === provider && row.providerAccountId === selected,
      )
      last = found ? readTokens(found, found) : null
      return last
    },
    async write(tokens) {
      await database.call(ctx, 'updateAccount', toColumns(tokens))
    },
    async replace(tokens) {
      const before = last
      const now = await this.read()
      if (before && now && !isReplaced(before, now)) await this.write(tokens)
    },
    async remove(tokens) {
      const { provider: at, providerAccountId } = tokens
      const now = await this.read()
      if (now && isReplaced(tokens, now)) return
      // Not `null`, which the type of the rows does not allow; an empty token is none.
      const none = { access_token: '', refresh_token: '', id_token: '' }
      await database.call(ctx, 'updateAccount', { provider: at, providerAccountId, ...none })
    },
  }
}

const cacheOf = oncePerKey((_config: ResolvedConfig) => tokenCache<Claims>())

/** Who has issued the tokens: the same id may name another provider in the configuration of another tenant. */
function issuedBy({ config }: SessionContext, provider: string): string | undefined {
  return config.providers.get(provider)?.tokens?.issuedBy
}

async function sealTokens(
  ctx: SessionContext,
  { subject, provider }: SessionKey,
  tokens: StoredTokens,
) {
  const claims = { sid: await subject.sid(), issuedBy: issuedBy(ctx, provider), tokens }
  return seal(claims, tokenSealing(ctx.config.secrets))
}

async function openTokens(
  ctx: SessionContext,
  { subject, provider, account }: SessionKey,
  sealed: string,
): Promise<StoredTokens | null> {
  const claims = await openCached(sealed, ctx.config.secrets, cacheOf(ctx.config))
  if (claims?.['sid'] !== (await subject.sid())) return null
  if (claims['issuedBy'] !== issuedBy(ctx, provider)) return null
  const stored = asRecord(claims['tokens'])
  const id = stored['providerAccountId']
  if (stored['provider'] !== provider || typeof id !== 'string') return null
  if (account !== undefined && account !== id) return null
  return readTokens({ provider, providerAccountId: id }, stored)
}

/** Characters that every store has room for. */
const MAX_RECORD = 16_000

export async function recordKey(sid: string, provider: string): Promise<string> {
  return `tokens:${await sha256(JSON.stringify([sid, provider]), 'base64url')}`
}

function recordVault(ctx: SessionContext, records: RecordAccess, key: SessionKey): TokenVault {
  const maxAge = ctx.config.tokens.sessionMaxAge
  const name = async () => recordKey(await key.subject.sid(), key.provider)
  let last: string | undefined
  /** The tokens in {@link last}. */
  let read: StoredTokens | null = null

  async function toRecord(tokens: StoredTokens): Promise<StoredRecord> {
    let value = await sealTokens(ctx, key, tokens)
    // The ID token only says who has signed in.
    if (value.length > MAX_RECORD)
      value = await sealTokens(ctx, key, { ...tokens, id_token: undefined })
    if (value.length > MAX_RECORD)
      throw new RangeError(
        `The tokens of provider ${key.provider} take ${value.length} characters, and a record stores ${MAX_RECORD}. Store them with the account: tokens: { where: 'account' }.`,
      )
    const expires = new Date(Date.now() + maxAge * 1000)
    return { key: await name(), value, owner: `user:${key.subject.id}`, expires }
  }

  /** Writes if the record is still the one that was read. */
  async function replaceLast(tokens: StoredTokens): Promise<boolean> {
    if (last === undefined) return false
    const record = await toRecord(tokens)
    const isWritten = await records.write(ctx, record, last)
    if (isWritten) last = record.value
    return isWritten
  }

  return {
    isShared: true,
    isOfSession: true,
    async read() {
      const at = await name()
      const record = (await records.read(ctx, [at])).get(at)
      last = record?.value
      read = null
      if (!record) return null
      const tokens = await openTokens(ctx, key, record.value)
      read = tokens
      if (!tokens && key.account === undefined)
        ctx.config.log.warnOnce(
          'token-not-opened',
          `A record with tokens of provider ${key.provider} was encrypted with a secret that is not in the list, for another session or for another client, so it is ignored: the user has to connect the account again. Keep replaced secrets in the list.`,
          key.provider,
        )
      // As long as the session is used, half of its lifetime at most passes without a write.
      const left = record.expires.getTime() - Date.now()
      if (tokens && left < maxAge * 500)
        await replaceLast(tokens).catch((error: Error) => ctx.config.log.error(error))
      return tokens
    },
    write: async (tokens) => void (await records.write(ctx, await toRecord(tokens))),
    async replace(tokens) {
      const before = read
      if (!before || (await replaceLast(tokens))) return
      // Another process may have extended the record, and not replaced the tokens.
      const now = await this.read()
      if (now && !isReplaced(before, now)) await replaceLast(tokens)
    },
    async remove(tokens) {
      const now = await this.read()
      if (now && !isReplaced(tokens, now)) await records.delete(ctx, { keys: [await name()] })
    },
  }
}

function cookieVault(ctx: SessionContext, key: SessionKey): TokenVault {
  const { jar } = ctx

  async function toCookie(tokens: StoredTokens) {
    const cookie = await tokenCookie(ctx, key.provider)
    const value = await sealTokens(ctx, key, tokens)
    checkRoom(ctx, cookie, value)
    return { cookie, value }
  }

  return {
    isShared: false,
    isOfSession: true,
    async read() {
      const cookie = await tokenCookie(ctx, key.provider)
      for (const value of readChunked(jar, cookie.name)) {
        const tokens = await openTokens(ctx, key, value)
        if (tokens) return tokens
      }
      // Of another session, or what no secret opens.
      deleteChunked(jar, cookie)
      return null
    },
    async write(tokens) {
      const { cookie, value } = await toCookie(tokens)
      writeChunked(jar, cookie, { value })
    },
    async probe(tokens) {
      await toCookie(tokens)
      probeCookies(ctx)
    },
    replace(tokens) {
      return this.write(tokens)
    },
    async remove() {
      deleteChunked(jar, await tokenCookie(ctx, key.provider))
    },
  }
}

const ACCOUNT_METHODS = ['listAccounts', 'updateAccount'] as const

/** The database, if the tokens are stored with the account. */
async function accountDatabase({ config }: SessionContext): Promise<Database | null> {
  const { where } = config.tokens
  if (where === 'store' || where === 'cookie' || !config.database) return null
  const database = await config.database()
  return where === 'account' || (await database.adapterWith(ACCOUNT_METHODS)) ? database : null
}

/** Without accounts: the session does not show that its user is the one in the database. */
const NO_ACCOUNT: TokenVault = {
  isShared: true,
  isOfSession: false,
  read: async () => null,
  write: async () => undefined,
  replace: async () => undefined,
  remove: async () => undefined,
}

/** The tokens of the user who is signed in. @throws InvalidConfiguration if tokens are not stored */
export async function sessionVault(ctx: SessionContext, key: SessionKey): Promise<TokenVault> {
  const { records, tokens } = ctx.config
  const database = await accountDatabase(ctx)
  if (database) {
    const query: DatabaseAccess['query'] = (method, ...args) => database.call(ctx, method, ...args)
    // A session from before the address was verified may be that of an evicted user.
    const { subject, provider, account } = key
    const current = await userOfSubject({ query }, onlyStored(ctx, subject), null)
    if (!current?.mayLink) return NO_ACCOUNT
    return accountVault(ctx, database, { userId: current.user.id, provider, account })
  }
  if (!tokens.isKept)
    throw new InvalidConfiguration(
      'The tokens of providers are not stored. Set tokens: {} in the configuration, and sign in again.',
    )
  if (records && tokens.where !== 'cookie' && (await records.adapter()))
    return recordVault(ctx, records, key)
  return cookieVault(ctx, key)
}

/** Whether tokens end with the session. */
export async function isWithSession(ctx: SessionContext): Promise<boolean> {
  return (await accountDatabase(ctx)) === null
}

/** The ids of the providers that issue tokens. */
export function tokenProviders({ config: { providers } }: SessionContext): readonly string[] {
  return providers.ids.filter((id) => providers.get(id)?.tokens)
}

/** The tokens of a session at all providers. */
export async function allTokens(
  ctx: SessionContext,
  subject: Subject,
): Promise<readonly StoredTokens[]> {
  const read = async (provider: string) =>
    (await sessionVault(ctx, { subject, provider, account: undefined })).read()
  const tokens = await Promise.all(tokenProviders(ctx).map(read))
  return tokens.filter((each) => each !== null)
}

/** The tokens of any user. @throws InvalidConfiguration unless they are stored with the account */
export async function userVault(ctx: SessionContext, key: VaultKey): Promise<TokenVault> {
  const database = await accountDatabase(ctx)
  if (database) return accountVault(ctx, database, key)
  throw new InvalidConfiguration(
    "getAccessTokenFor reads tokens that are stored with the account. Set adapter to one with listAccounts and updateAccount, and tokens.where to 'account'.",
  )
}
