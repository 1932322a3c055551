import type { SimpleWebAuthn, WebAuthnConfig } from '../../config/webauthn.ts'
import type { Context } from '../../contracts.ts'
import { sha256 } from '../../crypto/digest.ts'
import type { Database } from '../../database/database.ts'
import { CallbackRouteError } from '../../errors/classes.ts'
import { findErrorRow } from '../../errors/table.ts'
import { callHook } from '../../hooks.ts'
import { isRecord } from '../../is-record.ts'

export interface PasskeyProvider {
  readonly id: string
  readonly config: WebAuthnConfig
  readonly database: Database
}

/** COSE algorithms (RFC 9053), by default EdDSA, ES256, RS256. In a copy for the package. */
export function listAlgorithms({ config }: PasskeyProvider): number[] {
  return [...(config.registrationOptions?.supportedAlgorithmIDs ?? [-8, -7, -257])]
}

export async function loadPackage({ id, config }: PasskeyProvider): Promise<SimpleWebAuthn> {
  const { simpleWebAuthn } = config
  const functions = typeof simpleWebAuthn === 'function' ? await simpleWebAuthn() : simpleWebAuthn
  if (functions) return functions
  throw new CallbackRouteError(
    `simpleWebAuthn of provider ${id} did not return the functions of @simplewebauthn/server.`,
  )
}

/** Functions that failed to load the package, and whose error was thrown. */
const missing = new WeakSet<object>()

/**
 * Whether the package can be loaded. Throws the error for the log once, because the sign-in page requests options with
 * each view.
 */
export async function canLoadPackage(provider: PasskeyProvider): Promise<boolean> {
  const { simpleWebAuthn: key = provider } = provider.config
  try {
    await loadPackage(provider)
    missing.delete(key)
    return true
  } catch (error) {
    if (missing.has(key)) return false
    missing.add(key)
    throw error
  }
}

/** Calls a function of the provider. An error that has a row in the error table is passed on. */
export async function callProvider(
  ctx: Context,
  { id, config }: PasskeyProvider,
  name: 'getRelayingParty' | 'getUserInfo',
  request: Request,
): Promise<unknown> {
  const context = { provider: config, url: new URL(ctx.origin) }
  return callHook<unknown>(ctx, {
    what: `The ${name} function of provider ${id}`,
    run: () => config[name]?.(context, request),
    passes: (error) => findErrorRow(error) !== null,
  })
}

export interface RelyingParty {
  readonly id: string
  readonly name: string
  readonly origins: readonly string[]
}

function readList(value: unknown, fallback: string): readonly [string, ...string[]] {
  const [first, ...rest] = [value].flat().filter((each) => typeof each === 'string' && each !== '')
  return typeof first === 'string' ? [first, ...rest.map(String)] : [fallback]
}

/** The origin of the request was validated, so the host is not one that an attacker chose. */
export async function findRelyingParty(
  ctx: Context,
  provider: PasskeyProvider,
): Promise<RelyingParty> {
  const { relayingParty, getRelayingParty } = provider.config
  const own = getRelayingParty
    ? await callProvider(ctx, provider, 'getRelayingParty', ctx.request.original)
    : relayingParty
  const { id, name, origin }: Readonly<Record<string, unknown>> = isRecord(own) ? own : {}
  const site = new URL(ctx.origin)
  return {
    id: readList(id, site.hostname)[0],
    name: readList(name, site.host)[0],
    origins: readList(origin, site.origin),
  }
}

/** The user handle (WebAuthn §5.4.3): stable for each user, and no personal data. */
export async function userHandle(userId: string): Promise<string> {
  return sha256(`lib.passkey-user ${userId}`, 'base64url')
}
