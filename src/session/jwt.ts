import { chain, isPromise } from '../awaitable.ts'
import type { JWTCallbackCall } from '../config/callbacks.ts'
import type { SessionContext, SessionStrategy } from '../contracts.ts'
import { deleteBeside, readChunked, writeChunked } from '../cookies/chunk.ts'
import type { SessionCookie } from '../cookies/names.ts'
import { epochSeconds } from '../crypto/seal.ts'
import { SessionTooLarge, SessionUnavailable } from '../errors/session.ts'
import { lazily } from '../lazily.ts'
import { emit } from '../hooks.ts'
import type { Awaitable, JWT, Session } from '../types.ts'
import { sessionParams, signInParams } from './callback-params.ts'
import type { Update } from './callback-params.ts'
import { sessionCodec, startOf } from './codec.ts'
import type { CodecSettings } from './codec.ts'
import { clearAll, clearFormer, clearRead, renewedCookie } from './cookies.ts'
import { expose, orUnavailable } from './expose.ts'
import { signInClaims, withSignInClaims } from './sign-in-claims.ts'

export interface JWTSessionSettings extends CodecSettings {
  /** Seconds after which the token is issued again. */
  readonly updateAge: number
}

interface Found {
  readonly token: JWT
  readonly cookie: SessionCookie
  /** The encoded token. */
  readonly value: string
  /** Whether the request has no other cookie of the same name. */
  readonly isAlone: boolean
}

const rejection = lazily(() => import('./rejection.ts'))

/** Bytes. A larger token soon requires several cookies and exceeds the header limits of servers. */
const LARGE = 3800

function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

function contentOf(token: JWT): string {
  return JSON.stringify({ ...token, iat: undefined, exp: undefined, jti: undefined })
}

function identityOf(token: JWT): string {
  return `${token.sub ?? ''}.${startOf(token) ?? ''}`
}

/** Sessions in encrypted cookies (JWE, RFC 7516), without state on the server. */
export function jwtSessions(settings: JWTSessionSettings): SessionStrategy {
  const { maxAge, updateAge } = settings
  const codec = sessionCodec(settings)

  function findIn(ctx: SessionContext, cookie: SessionCookie): Awaitable<Found | null> {
    const { jar, config, deadline } = ctx
    const { name, family } = cookie
    const values = readChunked(jar, name)
    const isAlone = values.length < 2
    if (!isAlone) config.log.debug?.('cookie.duplicate', { name })
    const attempt = (index: number): Awaitable<Found | null> => {
      const value = values[index]
      if (value === undefined) return null
      return chain(codec.decode(value, { salt: name, family, deadline }), (token) =>
        token
          ? { token: withSignInClaims(token, signInClaims(token)), cookie, value, isAlone }
          : attempt(index + 1),
      )
    }
    return attempt(0)
  }

  function find(ctx: SessionContext): Awaitable<Found | null> {
    // Decodes one name at a time, because a search of a long Cookie header is expensive.
    const attempt = (index: number): Awaitable<Found | null> => {
      const cookie = ctx.cookies.sessionTokens[index]
      if (!cookie) return null
      return chain(findIn(ctx, cookie), (found) => found ?? attempt(index + 1))
    }
    return attempt(0)
  }

  async function write(ctx: SessionContext, token: JWT, cookie: SessionCookie): Promise<void> {
    const { name, options } = cookie
    const value = await codec.encode(token, { salt: name, deadline: ctx.deadline })
    if (value.length > LARGE)
      ctx.config.log.warnOnce(
        'session-large',
        `The session cookie exceeds ${LARGE} bytes. Store large values on the server and only their id in the session.`,
      )
    const expires = new Date(Date.now() + maxAge * 1000)
    writeChunked(ctx.jar, { name, options: { ...options, expires } }, { value, contents: token })
    clearFormer(ctx, cookie)
  }

  /** Issues a token again. A migrated `next-auth` session that is too large stays valid until its expiry. */
  async function renew(ctx: SessionContext, token: JWT, found: SessionCookie): Promise<void> {
    try {
      await write(ctx, token, renewedCookie(ctx, found))
    } catch (error) {
      if (found.family === 'own' || !(error instanceof SessionTooLarge)) throw error
      ctx.config.log.error(error)
    }
  }

  async function runCallback(ctx: SessionContext, params: JWTCallbackCall): Promise<JWT | null> {
    const { callbacks } = ctx.config
    const token = await orUnavailable(ctx, 'The jwt callback', {
      run: () => callbacks.jwt?.(params),
      params,
    })
    if (typeof token !== 'object' || Array.isArray(token))
      throw new SessionUnavailable(
        'The jwt callback did not return an object. Return the token, or null to end the session.',
      )
    return token
  }

  /** Returns the expiry of a token that stays as it is; `undefined` if it must be issued again. */
  function remainingExpiry({ token, cookie }: Found, ctx: SessionContext): number | undefined {
    const issued = asNumber(token.iat)
    const isDue = issued === undefined || issued + updateAge <= epochSeconds()
    return isDue || cookie !== renewedCookie(ctx, cookie) ? undefined : asNumber(token.exp)
  }

  async function refresh(ctx: SessionContext, update: Update): Promise<Session | null> {
    const looked = find(ctx)
    const found = isPromise(looked) ? await looked : looked
    const { log } = ctx.config
    if (!found) {
      if (log.debug) await (await rejection()).logRejected(ctx, settings)
      clearRead(ctx)
      return null
    }
    log.debug?.('session read', { name: found.cookie.name })
    if (!found.isAlone) deleteBeside(ctx.jar, found.cookie, found.value)
    const { callbacks, events } = ctx.config
    const before = callbacks.jwt && contentOf(found.token)
    const signedIn = signInClaims(found.token)
    let expiry = remainingExpiry(found, ctx)
    const claims = callbacks.jwt
      ? await runCallback(ctx, { ...update, token: found.token })
      : found.token
    if (!claims) {
      clearRead(ctx)
      return null
    }
    const token = withSignInClaims(claims, signedIn)
    // Frameworks render pages again only if the response sets a cookie, even if the update changed only external data.
    if (update.trigger || (callbacks.jwt && contentOf(token) !== before)) expiry = undefined
    const params = sessionParams(token, expiry ?? epochSeconds() + maxAge, update)
    const session = callbacks.session ? await expose(ctx, params, params.session) : params.session
    if (update.trigger) await write(ctx, token, renewedCookie(ctx, found.cookie))
    else if (expiry === undefined) {
      await renew(ctx, token, found.cookie)
      log.debug?.('session extended', { expires: params.session.expires })
    }
    if (events.session && session) await emit(ctx, 'session', { session, token })
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
      await write(ctx, token, ctx.cookies.sessionToken)
      clearAll(ctx, ctx.cookies.sessionToken)
      return identityOf(token)
    },

    async destroy(ctx) {
      const found = await find(ctx)
      clearAll(ctx)
      const { log } = ctx.config
      log.debug?.('session deleted')
      if (found) await emit(ctx, 'signOut', { token: found.token })
    },

    async subject(ctx) {
      const { token } = (await find(ctx)) ?? {}
      if (token?.sub === undefined) return null
      const { auth_time, verified_at_sign_in = null } = signInClaims(token)
      const since = auth_time === undefined ? null : new Date(auth_time * 1000)
      return { id: token.sub, since, wasVerified: verified_at_sign_in }
    },

    // The server has no list of issued tokens.
    endAll: async () => false,

    async identify(ctx) {
      const found = await find(ctx)
      return found ? identityOf(found.token) : ''
    },
  }
}
