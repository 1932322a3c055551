/** Refreshes a token once: in one process for all requests, and with a store in one process of all. */
import { setBounded } from '../async/cache.ts'
import { sha256 } from '../crypto/digest.ts'
import type { SessionContext } from '../contracts.ts'
import { AdapterError } from '../errors/classes.ts'
import { processMemory } from '../limits/process-memory.ts'
import { acquireLease } from '../records/lease.ts'
import type { Lease } from '../records/lease.ts'
import { isValidFor, refreshedTokens } from './stored-tokens.ts'
import type { StoredTokens } from './stored-tokens.ts'
import type { Flight, Refreshed, RefreshOutcome } from './refresh-outcome.ts'
import type { TokenVault } from './vault.ts'

const MAX_FLIGHTS = 10_000

/** Milliseconds between reads while another process refreshes; at most six seconds in all. */
const WAITS = [50, 100, 200, 400, 400, 400, 400, 400, 400, 400, 400, 400, 400, 400, 400, 400]

/** Milliseconds that a lease must last for the request to the provider and the write. */
const MIN_LEASE = 10_000

const WRITE_ATTEMPTS = 3

export interface RefreshCall {
  readonly ctx: SessionContext
  readonly vault: TokenVault
  /** As they were read. */
  readonly tokens: StoredTokens
  /** What the user has granted to this client, which only one process may refresh. */
  readonly grant: string
  readonly grace: number
  readonly send: (tokens: StoredTokens) => Promise<RefreshOutcome>
}

function unavailable(message: string, cause?: unknown): Refreshed {
  const error = new AdapterError(message, cause instanceof Error ? cause : undefined)
  return { kind: 'unavailable', retryAfter: 1, error, isMisconfigured: false }
}

function isReplaced(before: StoredTokens, now: StoredTokens | null): now is StoredTokens {
  if (!now) return false
  return now.refresh_token !== before.refresh_token || now.access_token !== before.access_token
}

/** The provider may have invalidated the old token, so the new one must not be lost. */
async function store({ ctx, vault }: RefreshCall, tokens: StoredTokens): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      return await vault.write(tokens)
    } catch (error) {
      if (attempt < WRITE_ATTEMPTS && error instanceof AdapterError) continue
      if (error instanceof Error) ctx.config.log.error(error)
      return undefined
    }
}

async function sendOnce(call: RefreshCall, tokens: StoredTokens): Promise<Refreshed> {
  const outcome = await call.send(tokens)
  if (outcome.kind === 'refreshed') {
    const after = refreshedTokens(tokens, outcome.tokens)
    await store(call, after)
    return { kind: 'refreshed', tokens: after }
  }
  if (outcome.kind === 'unavailable') return outcome
  const now = call.vault.isShared ? await call.vault.read() : null
  return isReplaced(tokens, now)
    ? { kind: 'refreshed', tokens: now }
    : { kind: 'refused', since: Date.now() }
}

async function waitForOther({ vault, tokens }: RefreshCall): Promise<Refreshed> {
  for (const wait of WAITS) {
    await new Promise((resolve) => void setTimeout(resolve, wait))
    const now = await vault.read()
    if (isReplaced(tokens, now)) return { kind: 'refreshed', tokens: now }
  }
  return unavailable('Another process refreshes the access token and has not finished.')
}

async function withLease(call: RefreshCall, lease: Lease): Promise<Refreshed> {
  try {
    // Another process may have refreshed between the read of this one and the lease.
    const now = await call.vault.read()
    if (isReplaced(call.tokens, now)) return { kind: 'refreshed', tokens: now }
    if (lease.expires - Date.now() < MIN_LEASE)
      return unavailable('The store took too long to grant the lease for a refresh.')
    return await sendOnce(call, call.tokens)
  } finally {
    // If that fails, the lease ends by itself.
    await lease.release().catch(() => undefined)
  }
}

async function run(call: RefreshCall): Promise<Refreshed> {
  const { ctx, vault } = call
  const { records } = ctx.config
  try {
    if (!vault.isShared || !records || !(await records.adapter()))
      return await sendOnce(call, call.tokens)
    const lease = await acquireLease(ctx, records, await sha256(call.grant, 'base64url'))
    return lease ? await withLease(call, lease) : await waitForOther(call)
  } catch (error) {
    // Without the lease nothing was sent.
    return unavailable('The store of the tokens does not respond.', error)
  }
}

/** Milliseconds for which the outcome is the answer for every request with the same token. */
function duration(outcome: Refreshed, grace: number): number {
  if (outcome.kind === 'unavailable') return outcome.retryAfter * 1000
  return outcome.kind === 'refused' ? Infinity : grace * 1000
}

/**
 * Waits for the request that another call has sent with the same token. A token that was replaced meanwhile must not be
 * sent again: the provider would take it for theft and revoke the grant.
 */
async function join(call: RefreshCall, flight: Flight, validFor: number): Promise<Refreshed> {
  const isPending = flight.outcome === undefined
  const outcome = await flight.result
  if (outcome.kind !== 'refreshed') return outcome
  // The lifetime of a token may be shorter than what callers ask for.
  if (!isPending && !isValidFor(outcome.tokens, validFor))
    return refreshOnce({ ...call, tokens: outcome.tokens }, validFor)
  // Each browser has cookies of its own.
  if (!call.vault.isShared) await store(call, outcome.tokens)
  return outcome
}

/** Whether the provider has kept the refresh token, and its last access token is not valid for long enough. */
function maySendAgain({ outcome }: Flight, { tokens }: RefreshCall, validFor: number): boolean {
  return (
    outcome?.kind === 'refreshed' &&
    outcome.tokens.refresh_token === tokens.refresh_token &&
    !isValidFor(outcome.tokens, validFor)
  )
}

/** @param validFor - seconds for which a token that an earlier request has refreshed must be valid */
export async function refreshOnce(call: RefreshCall, validFor: number): Promise<Refreshed> {
  const key = await sha256(JSON.stringify([call.grant, call.tokens.refresh_token]), 'base64url')
  const flights = (processMemory().refreshes ??= new Map<string, Flight>())
  const known = flights.get(key)
  // No `await` between this and the entry of the new request.
  if (known && Date.now() < known.endsAt && !maySendAgain(known, call, validFor))
    return join(call, known, validFor)
  const flight: Flight = { result: run(call), endsAt: Infinity }
  setBounded(flights, [key, flight], MAX_FLIGHTS)
  const outcome = await flight.result
  flight.outcome = outcome
  flight.endsAt = Date.now() + duration(outcome, call.grace)
  return outcome
}
