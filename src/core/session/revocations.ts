/** Sessions in cookies that end before their expiry. */
import { chain } from '../async/awaitable.ts'
import { setBounded } from '../async/cache.ts'
import type { SessionContext } from '../contracts.ts'
import { CLOCK_SKEW } from '../config/defaults.ts'
import type { EndOptions } from './end-options.ts'
import { readChunked } from '../cookies/reader.ts'
import { sessionId } from '../crypto/session-id.ts'
import type { CallContext } from '../database/database.ts'
import { AdapterError, SessionUnavailable, SignOutError } from '../errors/classes.ts'
import { asRecord } from '../is-record.ts'
import { denyList } from '../records/deny-list.ts'
import type { RevocableSession, RevocationSettings, Standing } from '../records/deny-list.ts'
import type { RecordAccess } from '../records/access.ts'
import type { Awaitable, JWT } from '../types.ts'
import { readLib, signInTime } from './codec.ts'
import type { DecodedToken, TokenDecoder, TokenRead } from './codec.ts'
import { isFacts } from './facts.ts'

/** What the claim `lib` of a session that begins contains in addition to its facts. */
export interface BegunSession {
  readonly after?: number
}

export interface Revocations {
  /** `null` if the session has ended. Synchronous if that is known. @throws SessionUnavailable */
  unlessEnded(decoded: DecodedToken, use: TokenRead): Awaitable<DecodedToken | null>
  /** @throws SessionUnavailable */
  begin(ctx: CallContext, userId: string, provedAt: number | undefined): Promise<BegunSession>
  /** Ends all sessions of the browser; returns the first token whose session had not ended. @throws SignOutError */
  endSent(ctx: SessionContext): Promise<JWT | undefined>
  /** Returns what ends the sessions of the browser once a sign-in has replaced them; best effort. */
  endReplaced(ctx: SessionContext): Promise<() => Promise<void>>
  endOne(ctx: SessionContext, userId: string, sid: string): Promise<boolean>
  /** @param current - the token of the browser, if its session stays */
  endAll(
    ctx: SessionContext,
    userId: string,
    options: EndOptions & { readonly current: JWT | undefined },
  ): Promise<void>
}

const MAX_STANDINGS = 10_000
/** Limit of tokens for a browser that sends many cookies of the same name. */
const MAX_TOKENS = 5

const time = (value: unknown) => (typeof value === 'number' ? value : undefined)

/** Reads the claims by themselves, because every request does. */
function revocableSession(token: JWT): Awaitable<RevocableSession> {
  const { sub: userId = '' } = token
  const lib = asRecord(readLib(token))
  if (isFacts(lib)) {
    const { sid, startedAt, after, afterSub, by } = lib
    return {
      sid: String(sid),
      userId,
      signedInAs: typeof by === 'string' ? by : undefined,
      startedAt,
      after: time(after),
      afterSub: time(afterSub),
    }
  }
  const signedIn = signInTime(token)
  const startedAt = (signedIn ?? 0) * 1000
  const unknown = { signedInAs: undefined, after: undefined, afterSub: undefined }
  const legacy = { userId, startedAt, ...unknown }
  return chain(sessionId(`${userId}.${signedIn ?? ''}`), (sid) => ({ sid, ...legacy }))
}

export async function revocations(
  records: RecordAccess,
  settings: RevocationSettings,
  decoder: TokenDecoder,
): Promise<Revocations> {
  const list = await denyList(records, settings)

  /** Decodes the session cookies of a request, of all names and both protocols. */
  async function sentTokens({ jar, config, deadline }: SessionContext): Promise<readonly JWT[]> {
    const tokens: JWT[] = []
    for (const { name, family } of config.cookies.both.sessionTokens)
      for (const value of readChunked(jar, name)) {
        const decoded = await decoder(value, { salt: name, family, deadline })
        if (decoded) tokens.push(decoded.token)
        if (tokens.length === MAX_TOKENS) return tokens
      }
    return tokens
  }

  /** Ends a session, unless its token has nothing that only this session has: others must not end with it. */
  async function endToken(ctx: CallContext, token: JWT): Promise<void> {
    const { userId, sid } = await revocableSession(token)
    if (signInTime(token) !== undefined) await list.end(ctx, userId, sid)
  }

  /** Sessions that had not ended, by id. */
  const standings = new Map<string, Standing>()

  /** Fast path: nothing has ended since the session was looked up. */
  function stands(token: JWT, now: number): boolean {
    const lib: unknown = token['lib']
    const { sid, startedAt, by, after, afterSub } = asRecord(lib)
    const found = typeof sid === 'string' ? standings.get(sid) : undefined
    if (!found) return false
    const isSame =
      found.userId === token.sub &&
      found.startedAt === startedAt &&
      found.signedInAs === by &&
      found.after === after &&
      found.afterSub === afterSub
    return isSame && list.isKept(found, now)
  }

  /** Issued when sessions were longer: the record of its end may have expired before it. */
  const isOutdated = ({ iat }: JWT, now: number): boolean =>
    typeof iat === 'number' && iat + settings.keepFor < now / 1000 - CLOCK_SKEW

  function isEnded(ctx: CallContext, token: JWT): Awaitable<boolean> {
    const now = Date.now()
    if (isOutdated(token, now)) return true
    return chain(revocableSession(token), (session) => {
      const standing = list.stand(session, now)
      if (!standing) return list.isEnded(ctx, session, now)
      standings.delete(session.sid)
      setBounded(standings, [session.sid, standing], MAX_STANDINGS)
      return false
    })
  }

  return {
    unlessEnded(decoded, { log, deadline }) {
      const { token } = decoded
      const now = Date.now()
      if (stands(token, now)) return isOutdated(token, now) ? null : decoded
      const ended = isEnded({ config: { log }, deadline }, token)
      return chain(ended, (has) => (has ? null : decoded))
    },

    async begin(ctx, userId, provedAt) {
      try {
        const after = await list.beginAfter(ctx, userId, provedAt)
        return after === undefined ? {} : { after }
      } catch (cause) {
        if (!(cause instanceof AdapterError)) throw cause
        throw new SessionUnavailable(
          'The store of ended sessions does not respond, so no session can begin.',
          { cause },
        )
      }
    },

    async endSent(ctx) {
      try {
        let first: JWT | undefined
        for (const token of await sentTokens(ctx)) {
          if (await isEnded(ctx, token)) continue
          await endToken(ctx, token)
          first ??= token
        }
        return first
      } catch (cause) {
        if (!(cause instanceof AdapterError || cause instanceof SessionUnavailable)) throw cause
        throw new SignOutError('The session could not be ended and remains valid.', { cause })
      }
    },

    async endReplaced(ctx) {
      const replaced = await sentTokens(ctx)
      return async () => {
        try {
          for (const token of replaced) await endToken(ctx, token)
        } catch (error) {
          if (!(error instanceof AdapterError)) throw error
          ctx.config.log.warn(
            'session-left-behind',
            'The session that a sign-in has replaced could not be ended: a copy of its cookie is valid until it expires.',
          )
        }
      }
    },

    endOne: (ctx, userId, sid) => list.end(ctx, userId, sid),

    async endAll(ctx, userId, { spare, startedBefore, current }) {
      const own = current ? [(await revocableSession(current)).sid] : []
      await list.endAll(ctx, userId, {
        spare: typeof spare === 'string' ? own : spare,
        startedBefore,
      })
    },
  }
}
