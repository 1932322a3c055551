import { lazily } from '../cache.ts'
import type { JWTCallbackCall, SessionCallbackCall } from '../config/callbacks.ts'
import type { SessionContext, SessionStrategy, SignInFacts } from '../contracts.ts'
import { deleteStale } from '../cookies/jar.ts'
import { epochSeconds } from '../crypto/seal.ts'
import { SessionUnavailable } from '../errors/session.ts'
import { emit } from '../hooks.ts'
import { parseJsonObject } from '../is-record.ts'
import { timestamp } from '../timestamp.ts'
import type { JWT, Session } from '../types.ts'
import { sessionCodec, signInTime } from './codec.ts'
import type { CodecSettings } from './codec.ts'
import {
  clearAll,
  clearRead,
  findToken,
  renewedCookie,
  renewToken,
  signInClaims,
  withSignInClaims,
  writeToken,
} from './cookies.ts'
import type { FoundToken } from './cookies.ts'
import { expose, runSessionStep } from './expose.ts'

export interface JWTSessionSettings extends CodecSettings {
  /** Seconds after which the token is issued again. */
  readonly updateAge: number
}

const rejection = lazily(() => import('./rejection.ts'))

/** The claims without those that each new token gets, as JSON. */
function contentOf(token: JWT): string {
  return JSON.stringify({ ...token, iat: undefined, exp: undefined, jti: undefined })
}

/** Compares the whole text first, because that takes one serialization. */
function hasChanged(token: JWT, before: string): boolean {
  return (
    JSON.stringify(token) !== before &&
    contentOf(token) !== contentOf(parseJsonObject(before) ?? {})
  )
}

interface SessionUpdate {
  readonly trigger?: 'update'
  readonly session?: unknown
}

type TokenSessionCall = SessionCallbackCall & { readonly session: Session }

function sessionParams(token: JWT, expiry: number, update: SessionUpdate): TokenSessionCall {
  const user = { name: token.name, email: token.email, image: token.picture }
  const session = { user, expires: timestamp(new Date(expiry * 1000)) }
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

function identityOf(token: JWT): string {
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

/** Returns the expiry of a token that is not due to be issued again. */
function remainingExpiry(
  { token: { iat, exp }, cookie }: FoundToken,
  ctx: SessionContext,
  updateAge: number,
): number | undefined {
  const isDue = typeof iat !== 'number' || iat + updateAge <= epochSeconds()
  const isKept = !isDue && typeof exp === 'number' && cookie === renewedCookie(ctx, cookie)
  return isKept ? exp : undefined
}

interface CheckedToken {
  readonly token: JWT
  /** `undefined` if the token must be issued again. */
  readonly expiry: number | undefined
}

/** Passes the claims to the `jwt` callback, if there is one; `null` if it ends the session. */
async function checkToken(
  ctx: SessionContext,
  found: FoundToken,
  { update, updateAge }: { readonly update: SessionUpdate; readonly updateAge: number },
): Promise<CheckedToken | null> {
  const expiry = update.trigger ? undefined : remainingExpiry(found, ctx, updateAge)
  if (!ctx.config.callbacks.jwt) return { token: found.token, expiry }
  // Taken before the callback, which may change the object.
  const before = found.text ?? JSON.stringify(found.token)
  const signedIn = signInClaims(found.token)
  const claims = await runCallback(ctx, { ...update, token: found.token })
  if (!claims) return null
  const token = withSignInClaims(claims, signedIn)
  return { token, expiry: hasChanged(token, before) ? undefined : expiry }
}

/** Sessions in encrypted cookies (JWE, RFC 7516), without state on the server. */
export function jwtSessions(settings: JWTSessionSettings): SessionStrategy {
  const { maxAge, updateAge } = settings
  const codec = sessionCodec(settings)
  const writer = { codec, maxAge }

  async function refresh(ctx: SessionContext, update: SessionUpdate): Promise<Session | null> {
    const found = await findToken(ctx, codec)
    const { callbacks, log } = ctx.config
    if (!found && log.debug) await (await rejection()).logRejected(ctx, settings)
    if (found) {
      log.debug?.('session read', { name: found.cookie.name })
      if (!found.isAlone) deleteStale(ctx.jar, found.cookie, found.value)
    }
    const checked = found && (await checkToken(ctx, found, { update, updateAge }))
    if (!checked) {
      clearRead(ctx)
      return null
    }
    const { token, expiry } = checked
    const params = sessionParams(token, expiry ?? epochSeconds() + maxAge, update)
    const session = callbacks.session ? await expose(ctx, params, params.session) : params.session
    const { cookie } = found
    // Frameworks render pages again only if the response sets a cookie, even if the update changed only external data.
    if (update.trigger) await writeToken(ctx, writer, { token, cookie: renewedCookie(ctx, cookie) })
    else if (expiry === undefined) {
      await renewToken(ctx, writer, { token, cookie })
      log.debug?.('session extended', { expires: params.session.expires })
    }
    if (session) await emit(ctx, 'session', { session, token })
    return session
  }

  return {
    read: (ctx) => refresh(ctx, {}),
    update: (ctx, data) => refresh(ctx, { trigger: 'update', session: data }),

    async create(ctx, facts, confirm) {
      // Before `confirm`: a session whose sign-in an eviction overtakes must not be newer than the eviction.
      const signedIn = {
        auth_time: Math.floor((facts.provedAt ?? Date.now()) / 1000),
        verified_at_sign_in: facts.wasVerified,
      }
      const params = signInParams(facts)
      const claims = ctx.config.callbacks.jwt ? await runCallback(ctx, params) : params.token
      await confirm()
      if (!claims) {
        clearAll(ctx)
        return ''
      }
      const token = withSignInClaims(claims, signedIn)
      const cookie = ctx.cookies.sessionToken
      await writeToken(ctx, writer, { token, cookie })
      clearAll(ctx, cookie)
      return identityOf(token)
    },

    async destroy(ctx) {
      const found = await findToken(ctx, codec)
      clearAll(ctx)
      ctx.config.log.debug?.('session deleted')
      if (found) await emit(ctx, 'signOut', { token: found.token })
    },

    async subject(ctx) {
      const { token } = (await findToken(ctx, codec)) ?? {}
      if (token?.sub === undefined) return null
      const { auth_time, verified_at_sign_in = null } = signInClaims(token)
      const since = auth_time === undefined ? null : new Date(auth_time * 1000)
      return { id: token.sub, since, wasVerified: verified_at_sign_in }
    },

    // The server has no list of issued tokens.
    endAll: async () => false,

    async identify(ctx) {
      const found = await findToken(ctx, codec)
      return found ? identityOf(found.token) : ''
    },
  }
}
