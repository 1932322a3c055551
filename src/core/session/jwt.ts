import { chain } from '../async/awaitable.ts'
import { lazily } from '../async/cache.ts'
import type { JWTCallbackCall } from '../config/callbacks.ts'
import type { SessionContext, SessionStrategy, SignInFacts } from '../contracts.ts'
import { deleteStale } from '../cookies/jar.ts'
import { epochSeconds } from '../crypto/seal.ts'
import type { SessionCookie } from '../cookies/policy.ts'
import { SessionTooLarge, SessionUnavailable } from '../errors/classes.ts'
import { emit } from '../hooks.ts'
import { parseJsonObject } from '../is-record.ts'
import type { Awaitable, JWT, Session } from '../types.ts'
import { encodeToken, signInClaims, signInTime, tokenDecoder, withSignInClaims } from './codec.ts'
import type { CodecSettings, TokenDecoder, SignInClaims } from './codec.ts'
import type { Revocations } from './revocations.ts'
import { cannotList } from './cannot-list.ts'
import { clearAll, clearRead, findToken, renewedCookie, setSessionCookie } from './cookies.ts'
import type { FoundToken } from './cookies.ts'
import { expose, runSessionStep } from './expose.ts'
import { assigned, ofAnotherUser } from './assigned-claims.ts'
import { remainingExpiry, renewedExpiry, tokenTerms } from './token-terms.ts'
import type { LifetimeSettings, Terms } from './terms.ts'
import { tokenCache } from '../crypto/token-cache.ts'
import { unlessEnded } from './unless-ended.ts'

export type JWTSessionSettings = CodecSettings &
  LifetimeSettings & {
    /** Undefined: a session ends when its token expires. */
    readonly revocations?: ((decoder: TokenDecoder) => Promise<Revocations>) | undefined
  }

/** Bytes. A larger token soon requires several cookies and exceeds the header limits of servers. */
const LARGE = 3800
const rejection = lazily(() => import('./rejection.ts'))
const subjects = lazily(() => import('./token-subject.ts'))

/** The claims without those that each new token gets, as JSON. */
function readContent(token: JWT): string {
  return JSON.stringify({ ...token, iat: undefined, exp: undefined, jti: undefined })
}

/** Compares the whole text first, because that takes one serialization. */
function hasChanged(token: JWT, before: string): boolean {
  return (
    JSON.stringify(token) !== before &&
    readContent(token) !== readContent(parseJsonObject(before) ?? {})
  )
}

interface SessionUpdate {
  readonly trigger?: 'update'
  readonly session?: unknown
}

function sessionParams(token: JWT, expiry: number, update: SessionUpdate) {
  const user = { name: token.name, email: token.email, image: token.picture }
  const session = { user, expires: new Date(expiry * 1000).toISOString() }
  return update.trigger
    ? { session, token, trigger: update.trigger, newSession: update.session }
    : { session, token }
}

function signInParams({ user, account, profile, isNewUser }: SignInFacts): JWTCallbackCall {
  return {
    token: { name: user.name, email: user.email, picture: user.image, sub: user.id },
    user,
    account,
    ...(profile && { profile }),
    ...(isNewUser !== undefined && { isNewUser }),
    trigger: isNewUser ? 'signUp' : 'signIn',
  }
}

function sessionIdentity(token: JWT): string {
  return `${token.sub ?? ''}.${signInTime(token) ?? ''}`
}

async function runCallback(ctx: SessionContext, params: JWTCallbackCall): Promise<JWT | null> {
  const { callbacks } = ctx.config
  const token = await runSessionStep(ctx, 'The jwt callback', {
    run: () => callbacks.jwt?.(params),
    params,
  })
  if (typeof token !== 'object' || Array.isArray(token))
    throw new SessionUnavailable(
      'The jwt callback did not return an object. Return the token, or null to end the session.',
    )
  return token
}

async function newSessionId(claims: SignInClaims): Promise<string> {
  return (await subjects()).tokenSubject({ sub: '-', ...claims })?.sid() ?? ''
}

type TokenSessions = JWTSessionSettings & {
  /** Finds the session of the request; skips those that have ended. */
  readonly find: (ctx: SessionContext) => Awaitable<FoundToken | null>
}

async function writeToken(
  sessions: TokenSessions,
  ctx: SessionContext,
  cookie: SessionCookie,
  { token, expiry, keep }: { readonly token: JWT; readonly expiry: number; readonly keep: boolean },
): Promise<void> {
  const { name, family } = cookie
  const lasting = { ...sessions, maxAge: expiry - epochSeconds() }
  const value = await encodeToken(lasting, token, { salt: name, family, deadline: ctx.deadline })
  if (value.length > LARGE)
    ctx.config.log.warnOnce(
      'session-large',
      `The session cookie exceeds ${LARGE} bytes. Store large values on the server and only their id in the session.`,
    )
  const expires = keep ? new Date(expiry * 1000) : null
  setSessionCookie(ctx, cookie, { value, contents: token, expires })
}

interface ReadSession {
  readonly session: () => Session
  readonly token: JWT
}

/** Passes the claims to the callbacks, and issues the token again if it is due or has changed. */
async function refresh(
  sessions: TokenSessions,
  ctx: SessionContext,
  found: FoundToken,
  {
    expiry,
    update,
    terms,
  }: {
    readonly expiry: number | undefined
    readonly update: SessionUpdate
    readonly terms: Terms
  },
): Promise<ReadSession | null> {
  const { callbacks, log } = ctx.config
  const { cookie, text } = found
  let { token } = found
  let left = expiry
  // Before the callbacks, which may remove claims.
  const next = renewedExpiry(token, sessions, terms)
  const claimed = signInClaims(token)
  // A copy, because a callback may merge what a browser sent into the objects of the token.
  let signedIn = claimed.lib ? { ...claimed, lib: structuredClone(claimed.lib) } : claimed
  if (callbacks.jwt) {
    // Taken before the callback, which may change the object.
    const before = text ?? JSON.stringify(token)
    const { sub } = token
    const claims = await runCallback(ctx, { ...update, token })
    if (!claims) {
      clearRead(ctx)
      return null
    }
    if (claims.sub !== sub) signedIn = ofAnotherUser(signedIn, sub)
    token = withSignInClaims(claims, signedIn)
    if (hasChanged(token, before)) left = undefined
  }
  const params = sessionParams(token, left ?? next, update)
  const session = callbacks.session ? await expose(ctx, params, params.session) : params.session
  token = withSignInClaims(token, signedIn)
  const renewed = renewedCookie(ctx, cookie)
  // Frameworks render pages again only if the response sets a cookie, even if the update changed only external data.
  const written = { token, expiry: next, keep: terms.keep }
  if (update.trigger) await writeToken(sessions, ctx, renewed, written)
  else if (left === undefined) {
    try {
      await writeToken(sessions, ctx, renewed, written)
    } catch (error) {
      // A migrated `next-auth` session that is too large stays valid until its expiry.
      if (cookie.family === 'own' || !(error instanceof SessionTooLarge)) throw error
      log.error(error)
    }
    await ctx.config.logout?.extend(ctx, () => newSessionId(signedIn))
    log.debug?.('session extended', { expires: params.session.expires })
  }
  if (!session) return null
  await emit(ctx, 'session', { session, token })
  return { session: () => session, token }
}

function readToken(
  sessions: TokenSessions,
  ctx: SessionContext,
  update: SessionUpdate,
): Awaitable<ReadSession | null> {
  const { callbacks, events, log } = ctx.config
  return chain(sessions.find(ctx), (found): Awaitable<ReadSession | null> => {
    if (!found) {
      const logged = log.debug && chain(rejection(), (each) => each.logRejected(ctx, sessions))
      return chain(logged, () => {
        clearRead(ctx)
        return null
      })
    }
    log.debug?.('session read', { name: found.cookie.name })
    if (!found.isAlone) deleteStale(ctx.jar, found.cookie, found.value)
    const terms = tokenTerms(found.token, sessions)
    const expiry = update.trigger ? undefined : remainingExpiry(found, ctx, terms)
    if (expiry === undefined || callbacks.jwt || callbacks.session || events.session)
      return refresh(sessions, ctx, found, { expiry, update, terms })
    const { token } = found
    // Read of its user, the session is not needed.
    return { session: () => sessionParams(token, expiry, update).session, token }
  })
}

const pickSession = (found: ReadSession | null): Session | null => found && found.session()

/** Sessions in encrypted cookies (JWE, RFC 7516), without state on the server unless they can be revoked. */
export function jwtSessions(settings: JWTSessionSettings): SessionStrategy {
  const cache = tokenCache<string>()
  const decode = tokenDecoder(settings, cache)
  const { revocations: load } = settings
  const revocations = load && lazily(() => load(decode))
  const decodeValid = revocations ? tokenDecoder(settings, cache, unlessEnded(revocations)) : decode
  const find = (ctx: SessionContext) => findToken(ctx, decodeValid)
  const sessions = { ...settings, find }

  return {
    read: (ctx) => chain(readToken(sessions, ctx, {}), pickSession),

    readSubject: (ctx) =>
      chain(
        readToken(sessions, ctx, {}),
        (found) => found && chain(subjects(), (each) => each.tokenSubject(found.token)),
      ),

    async readAssured(ctx) {
      const found = await readToken(sessions, ctx, {})
      if (!found) return null
      return { session: found.session(), subject: (await subjects()).tokenSubject(found.token) }
    },

    update: (ctx, data) =>
      chain(readToken(sessions, ctx, { trigger: 'update', session: data }), pickSession),

    async create(ctx, facts, confirm) {
      // Before `confirm`: a session whose sign-in an eviction overtakes must not be newer than the eviction.
      const params = signInParams(facts)
      const { id } = facts.user
      const list = await revocations?.()
      const start = id === undefined ? {} : await list?.begin(ctx, id, facts.provedAt)
      const endReplaced = await list?.endReplaced(ctx)
      const signedIn = signInClaims({
        ...params.token,
        auth_time: Math.floor((facts.provedAt ?? Date.now()) / 1000),
        verified_at_sign_in: facts.wasVerified,
        lib: facts.session && { sid: crypto.randomUUID(), ...facts.session, ...start },
      })
      const claims = ctx.config.callbacks.jwt ? await runCallback(ctx, params) : params.token
      facts.refuse?.(claims?.sub)
      await confirm(() => newSessionId(signedIn))
      if (!claims) {
        clearAll(ctx)
        return ''
      }
      const begin = () => list?.begin(ctx, claims.sub ?? '', facts.provedAt)
      const own = claims.sub === id ? signedIn : await assigned(signedIn, facts, begin)
      const token = withSignInClaims(claims, own)
      const cookie = ctx.cookies.sessionToken
      const terms = tokenTerms(token, sessions)
      const expiry = renewedExpiry(token, sessions, terms)
      await writeToken(sessions, ctx, cookie, { token, expiry, keep: terms.keep })
      clearAll(ctx, cookie)
      await endReplaced?.()
      return sessionIdentity(token)
    },

    async destroy(ctx) {
      // Before the cookie is cleared: if that fails, the user can try again.
      const list = await revocations?.()
      const token = list ? await list.endSent(ctx) : (await findToken(ctx, decode))?.token
      clearAll(ctx)
      ctx.config.log.debug?.('session deleted')
      if (token) await emit(ctx, 'signOut', { token })
      return token?.sub ?? null
    },

    async subject(ctx) {
      const found = await find(ctx)
      return found && (await subjects()).tokenSubject(found.token)
    },

    isListed: false,
    list: cannotList,
    isRevocable: revocations !== undefined,
    endOne: async (ctx, userId, sid) =>
      revocations ? (await revocations()).endOne(ctx, userId, sid) : false,
    async endAll(ctx, userId, options) {
      if (!revocations) return false
      const current = options.spare === 'current' ? (await find(ctx))?.token : undefined
      await (await revocations()).endAll(ctx, userId, { ...options, current })
      return true
    },

    identify: (ctx) =>
      chain(findToken(ctx, decode), (found) => (found ? sessionIdentity(found.token) : '')),
  }
}
