/** Tokens in a record, for one session. */
import type { SessionContext } from '../contracts.ts'
import type { StoredRecord } from '../database/adapter.ts'
import type { RecordAccess } from '../records/access.ts'
import { tokensKeptFor } from '../session/kept-for.ts'
import { recordKey } from './delete-records.ts'
import { openTokens, sealTokens } from './sealed-tokens.ts'
import { isReplaced } from './stored-tokens.ts'
import type { StoredTokens } from './stored-tokens.ts'
import type { SessionKey, TokenVault } from './token-vault.ts'

/** Characters that every store has room for. */
const MAX_RECORD = 16_000

export function recordVault(
  ctx: SessionContext,
  records: RecordAccess,
  key: SessionKey,
): TokenVault {
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
    const expires = new Date(Date.now() + tokensKeptFor(ctx, key.subject).seconds * 1000)
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
      if (tokens && left < tokensKeptFor(ctx, key.subject).seconds * 500)
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
