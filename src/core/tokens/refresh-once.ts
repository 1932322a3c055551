/** Refreshes a token once: in one process for all requests, and with a store in one process of all. */
import { setBounded } from '../async/cache.ts'
import type { SessionContext, TokenIssuer } from '../contracts.ts'
import { AdapterError } from '../errors/classes.ts'
import { processMemory } from '../limits/process-memory.ts'
import { acquireLease } from '../records/lease.ts'
import type { Lease } from '../records/lease.ts'
import { nameToken } from './latest-tokens.ts'
import { isReplaced, isValidFor, refreshedTokens } from './stored-tokens.ts'
import type { StoredTokens } from './stored-tokens.ts'
import type { Flight, Refreshed, RefreshOutcome } from './refresh-outcome.ts'
import type { TokenVault } from './token-vault.ts'

const MAX_FLIGHTS = 10_000

/** Milliseconds between reads while another process refreshes; at most six seconds in all. */
const WAITS = [50, 100, 200, 400, 400, 400, 400, 400, 400, 400, 400, 400, 400, 400, 400, 400]

/** After a refusal, two seconds: the other process already has the response, and only has to store it. */
const WAITS_AFTER_REFUSAL = WAITS.slice(0, 7)

/** Milliseconds that a lease must last for the request to the provider and the write. */
const MIN_LEASE = 10_000

const WRITE_ATTEMPTS = 3

export interface RefreshCall {
  readonly ctx: SessionContext
  readonly vault: TokenVault
  /** As they were read. */
  readonly tokens: StoredTokens
  readonly issuedBy: TokenIssuer['issuedBy']
  readonly grace: number
  readonly send: (tokens: StoredTokens) => Promise<RefreshOutcome>
}

function unavailable(message: string, cause?: unknown): Refreshed {
  const error = new AdapterError(message, cause instanceof Error ? cause : undefined)
  return { kind: 'unavailable', retryAfter: 1, error, isMisconfigured: false }
}

/** What another process has done with the tokens since they were read; `undefined`: nothing. */
function outcomeElsewhere(before: StoredTokens, now: StoredTokens | null): Refreshed | undefined {
  if (!now || !(now.access_token ?? now.refresh_token))
    return { kind: 'refused', since: Date.now(), isReported: true }
  return isReplaced(before, now) ? { kind: 'refreshed', tokens: now, isStored: true } : undefined
}

/** The provider may have invalidated the old token, so the new one must not be lost. Returns whether it was stored. */
async function store({ ctx, vault }: RefreshCall, tokens: StoredTokens): Promise<boolean> {
  for (let attempt = 1; ; attempt++)
    try {
      await vault.replace(tokens)
      return true
    } catch (error) {
      if (attempt < WRITE_ATTEMPTS && error instanceof AdapterError) continue
      if (error instanceof Error) ctx.config.log.error(error)
      return false
    }
}

async function sendOnce(call: RefreshCall, tokens: StoredTokens): Promise<Refreshed> {
  const outcome = await call.send(tokens)
  if (outcome.kind === 'refreshed') {
    const after = refreshedTokens(tokens, outcome.tokens)
    return { kind: 'refreshed', tokens: after, isStored: await store(call, after) }
  }
  if (outcome.kind === 'unavailable') return outcome
  const elsewhere = call.vault.isShared
    ? outcomeElsewhere(tokens, await call.vault.read())
    : undefined
  return elsewhere ?? { kind: 'refused', since: Date.now() }
}

async function waitForOther(
  { vault, tokens }: RefreshCall,
  waits: readonly number[],
): Promise<Refreshed | undefined> {
  for (const wait of waits) {
    await new Promise((resolve) => void setTimeout(resolve, wait))
    const outcome = outcomeElsewhere(tokens, await vault.read())
    if (outcome) return outcome
  }
  return undefined
}

async function sendWithLease(call: RefreshCall, lease: Lease): Promise<Refreshed> {
  // Another process may have refreshed between the read of this one and the lease.
  const elsewhere = outcomeElsewhere(call.tokens, await call.vault.read())
  if (elsewhere) return elsewhere
  if (lease.expires - Date.now() < MIN_LEASE)
    return unavailable('The store took too long to grant the lease for a refresh.')
  return sendOnce(call, call.tokens)
}

async function withLease(call: RefreshCall, lease: Lease): Promise<Refreshed> {
  let isStored = true
  try {
    const outcome = await sendWithLease(call, lease)
    isStored = outcome.kind !== 'refreshed' || outcome.isStored
    return outcome
  } finally {
    // Other processes would send the token that they still read. If the release fails, the lease ends by itself.
    if (isStored) await lease.release().catch(() => undefined)
  }
}

async function run(call: RefreshCall, key: string): Promise<Refreshed> {
  const { ctx, vault } = call
  const { records } = ctx.config
  try {
    if (!vault.isShared || !records || !(await records.adapter())) {
      const outcome = await sendOnce(call, call.tokens)
      // Without a lease, another process may have sent the token first, and stores the new ones in a moment.
      const isFinal = outcome.kind !== 'refused' || !vault.isShared
      return isFinal ? outcome : ((await waitForOther(call, WAITS_AFTER_REFUSAL)) ?? outcome)
    }
    const lease = await acquireLease(ctx, records, key)
    if (lease) return await withLease(call, lease)
    return (
      (await waitForOther(call, WAITS)) ??
      unavailable('Another process refreshes the access token and has not finished.')
    )
  } catch (error) {
    // Without the lease nothing was sent.
    return unavailable('The store of the tokens does not respond.', error)
  }
}

/** Milliseconds for which the outcome is the answer for every request with the same token. */
function duration(outcome: Refreshed, grace: number): number {
  if (outcome.kind === 'unavailable') return outcome.retryAfter * 1000
  return outcome.kind === 'refreshed' && outcome.isStored ? grace * 1000 : Infinity
}

/** Also if the clock was set back, after which a pause would take hours. */
function hasEnded({ outcome, endsAt }: Flight): boolean {
  const left = endsAt - Date.now()
  return left <= 0 || (outcome?.kind === 'unavailable' && left > outcome.retryAfter * 1000)
}

/**
 * Waits for the request that another call has sent with the same token. A token that was replaced meanwhile must not be
 * sent again: the provider would take it for theft and revoke the grant.
 */
async function join(call: RefreshCall, flight: Flight, validFor: number): Promise<Refreshed> {
  const isPending = flight.outcome === undefined
  const outcome = await flight.result
  if (outcome.kind !== 'refreshed') return outcome
  // Each browser has cookies of its own.
  if (!call.vault.isShared) await store(call, outcome.tokens)
  else if (!isPending && !outcome.isStored) {
    outcome.isStored = await store(call, outcome.tokens)
    if (outcome.isStored) flight.endsAt = Date.now() + call.grace * 1000
  }
  // The lifetime of a token may be shorter than what callers ask for.
  if (isPending || isValidFor(outcome.tokens, validFor)) return outcome
  if (call.vault.isShared && !outcome.isStored)
    return isValidFor(outcome.tokens, 0) ? outcome : unavailable('The tokens cannot be stored.')
  return refreshOnce({ ...call, tokens: outcome.tokens }, validFor)
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
  const key = await nameToken(call.issuedBy, call.tokens)
  const flights = (processMemory().refreshes ??= new Map<string, Flight>())
  const known = flights.get(key)
  // No `await` between this and the entry of the new request.
  if (known && !hasEnded(known) && !maySendAgain(known, call, validFor))
    return join(call, known, validFor)
  const flight: Flight = { result: run(call, key), endsAt: Infinity }
  setBounded(flights, [key, flight], MAX_FLIGHTS)
  const outcome = await flight.result
  flight.outcome = outcome
  flight.endsAt = Date.now() + duration(outcome, call.grace)
  return outcome
}
