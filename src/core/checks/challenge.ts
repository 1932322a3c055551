/** Binds the response of an authenticator to the options of its ceremony (WebAuthn §13.4.3). Each has its own cookie. */
import type { Context } from '../contracts.ts'
import { sha256 } from '../crypto/digest.ts'
import { open, seal } from '../crypto/seal.ts'
import type { Claims } from '../crypto/seal.ts'
import { CHALLENGE_MAX_AGE } from '../config/defaults.ts'
import { InvalidCheck } from '../errors/classes.ts'
import { findUsed, makeRoom, markUsed } from './transaction.ts'

export type Ceremony = 'register' | 'authenticate'

export function isCeremony(action: unknown): action is Ceremony {
  return action === 'register' || action === 'authenticate'
}

export interface ChallengeKey {
  readonly provider: string
  readonly ceremony: Ceremony
  /** Base64url. */
  readonly challenge: string
}

export interface NewUser {
  readonly id: string
  readonly fields: Readonly<Record<string, string>>
}

/** What a ceremony began with. */
export interface Challenge extends ChallengeKey {
  /** The user whose passkeys were in the allow-list, or for whom the new passkey is. */
  readonly userHandle?: string
  /** The id of a new user, and what was typed into the form. */
  readonly newUser?: NewUser
}

export interface RedeemedChallenge extends Challenge {
  /** Random and secret: identifies the ceremony across processes. */
  readonly jti: string
}

const KEY = { salt: 'lib.challenge', family: 'internal' } as const

/** Seconds that are added to the lifetime, besides the tolerance of every sealed value. */
const CLOCK_TOLERANCE = 15

/** Seconds for which the record of a used challenge outlives it: more than the tolerance of every sealed value. */
const RECORD_MARGIN = 60

function isChallenge(claims: Claims, key: ChallengeKey): claims is Claims & RedeemedChallenge {
  const { provider, ceremony, challenge, jti } = claims
  const isSame = provider === key.provider && ceremony === key.ceremony
  return isSame && challenge === key.challenge && typeof jti === 'string'
}

async function locate({ jar, cookies }: Context, challenge: string) {
  const hash = await sha256(`challenge ${challenge}`, 'hex')
  const { name: stem, options } = cookies.challenge
  const name = `${stem}.${hash.slice(0, 8)}`
  return { hash, cookie: { name, options }, sealed: jar.get(name) }
}

/** A hash, so that the length of the cookie does not depend on the session. */
async function sessionHash(ctx: Context): Promise<string> {
  return sha256(`challenge ${await ctx.config.session.identify(ctx)}`, 'base64url')
}

/** Sets the cookie of a ceremony. @throws RangeError if it does not fit */
export async function createChallenge(ctx: Context, challenge: Challenge): Promise<void> {
  const { config, cookies } = ctx
  const { cookie } = await locate(ctx, challenge.challenge)
  const maxAge = (cookie.options.maxAge ?? CHALLENGE_MAX_AGE) + CLOCK_TOLERANCE
  const claims = { ...challenge, session: await sessionHash(ctx) }
  const value = await seal(claims, { secrets: config.secrets, ...KEY, maxAge })
  makeRoom(ctx, `${cookies.challenge.name}.`, { ...cookie, value })
  ctx.jar.set({ ...cookie, value })
}

function explain(claims: Claims | null, key: ChallengeKey): string {
  if (claims === null) return 'the challenge has expired, or belongs to another browser'
  if (!isChallenge(claims, key)) return 'the challenge is of another provider or ceremony'
  return 'the session has changed'
}

/** Whether no process with the same records has used the challenge; `true` without records. @throws AdapterError */
async function isUnusedAnywhere(ctx: Context, hash: string, { exp }: Claims): Promise<boolean> {
  const { records } = ctx.config
  if (!(await records?.adapter())) return true
  const expires = new Date((Number(exp) + RECORD_MARGIN) * 1000)
  const record = { key: `challenge:${hash}`, value: '', owner: null, expires }
  return (await records?.write(ctx, record, null)) ?? true
}

/**
 * Opens and deletes the cookie of a ceremony. The challenge is single use: within this process by its memory, across
 * processes by a record. Without records, the unique id of a new passkey, the counter and the session token enforce it
 * across processes (see `docs/threat-model.md`).
 *
 * @throws InvalidCheck, with `isOfOtherSession` if only the session has changed; and AdapterError
 */
export async function redeemChallenge(ctx: Context, key: ChallengeKey): Promise<RedeemedChallenge> {
  const { jar, config } = ctx
  const { hash, cookie, sealed } = await locate(ctx, key.challenge)
  if (sealed !== undefined) jar.delete(cookie)
  const claims = (sealed && (await open(sealed, { secrets: config.secrets, ...KEY }))) || null
  const session = await sessionHash(ctx)
  // No await between these two: concurrent requests of this process must not both find it unused.
  let isUsed = findUsed(hash) !== undefined
  if (claims) markUsed(hash, '')
  if (!isUsed && claims && claims['session'] === session && isChallenge(claims, key)) {
    if (await isUnusedAnywhere(ctx, hash, claims)) return claims
    isUsed = true
  }
  const isOfOtherSession = !isUsed && claims !== null && isChallenge(claims, key)
  const reason = isUsed ? 'the challenge was already used' : explain(claims, key)
  config.log.debug?.('challenge rejected', { provider: key.provider, reason })
  throw new InvalidCheck(`The passkey ceremony cannot be completed: ${reason}.`, {
    provider: key.provider,
    isOfOtherSession,
  })
}
