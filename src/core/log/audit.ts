/** The audit log: who signed in or out, and what was refused. */
import { asRecord } from '../is-record.ts'
import type { AuditEvent, AuditOptions, AuditType } from './audit-event.ts'
import { oncePerKey } from '../async/cache.ts'
import type { AuditContext, AuditFact, AuditLog } from '../contracts.ts'
import { hmac, randomBase64Url } from '../crypto/digest.ts'
import { sessionId } from '../crypto/session-id.ts'
import { EventError, TooManyAttempts } from '../errors/classes.ts'
import { findErrorRow } from '../errors/table.ts'
import { receivedHeaders } from '../http/server-call.ts'
import { TIMEOUTS, unavailable, withTimeout } from '../async/timeout.ts'
import { readIdentifier } from './identifier.ts'
import { plainText } from './redact.ts'
import { issueReference, newReference } from './reference.ts'

const MAX_PENDING = 1000
/** Milliseconds after which an event counts as dropped, so that a sink that hung can recover. */
const MAX_WAIT = 30_000
const MAX_LENGTH = 256

async function printable(
  { config }: AuditContext,
  identifier: string,
  kind: AuditOptions['identifiers'],
): Promise<string> {
  if (kind === 'plain') return plainText(identifier, MAX_LENGTH)
  const [secret = ''] = config.secrets
  const normalized = identifier.normalize('NFKC').trim().toLowerCase()
  return (await hmac(normalized, { secret, purpose: 'audit' })).slice(0, 32)
}

/** Reads of a session or page fail with the same errors; they are not sign-ins. */
const AUDITED_ACTION = /^(?:signin|signout|callback|password|step-up|webauthn-options)$/

function classify(error: Error, { action }: AuditContext['request']): AuditType | undefined {
  const type = findErrorRow(error)?.audit
  if (type === 'csrf.refused' || type === 'logout.received') return type
  // Functions of the application sign nobody in or out.
  if (action === undefined)
    return type === 'factor.removed' || type === 'attempt.limited' ? type : undefined
  if (!AUDITED_ACTION.test(action)) return undefined
  if (asRecord(error.cause)['isReplay'] === true) return 'transaction.replayed'
  return action === 'signout' ? 'signout' : type
}

interface Pending {
  /** Milliseconds since the epoch. */
  readonly since: number
  /** Events that are lost if this one is. */
  events: number
}

/** What a function of the application returns; an event is written without it if the function throws. */
function nullIfThrown<T>(run: () => T): T | null {
  try {
    return run()
  } catch {
    return null
  }
}

interface EventOptions extends Pick<AuditOptions, 'identifiers'> {
  readonly clientAddress: (headers: Headers) => string | null
}

async function describeEvent(
  ctx: AuditContext,
  fact: AuditFact,
  { identifiers, clientAddress }: EventOptions,
): Promise<AuditEvent> {
  const { identifier, session, target, ref = newReference(), ...known } = fact
  const { original, headers } = ctx.request
  const userAgent = (original ? receivedHeaders(original) : headers).get('user-agent')
  const address = original && nullIfThrown(() => clientAddress(receivedHeaders(original)))
  const submitted = identifier && {
    kind: 'user' as const,
    id: await printable(ctx, identifier, identifiers),
  }
  const about = target ?? submitted
  return {
    id: randomBase64Url(),
    time: new Date(),
    ...known,
    ref,
    ...(about && { target: about }),
    ...(session && { sid: await sessionId(session) }),
    ...(address && { address: plainText(address, MAX_LENGTH) }),
    ...(userAgent !== null && { userAgent: plainText(userAgent, MAX_LENGTH) }),
  }
}

interface Sink {
  /** In the order of time. */
  readonly pending: Set<Pending>
  /** Events that the next one has to count. */
  dropped: number
}

/** By the function of the application, because a configuration may be created for each request. */
const findSink = oncePerKey((_write: AuditOptions['write']): Sink => ({
  pending: new Set(),
  dropped: 0,
}))

export function auditLog(
  { write, identifiers }: AuditOptions,
  clientAddress: (headers: Headers) => string | null,
): AuditLog {
  const sink = findSink(write)
  const { pending } = sink

  function dropOld(): void {
    for (const entry of pending) {
      if (Date.now() - entry.since < MAX_WAIT) return
      pending.delete(entry)
      sink.dropped += entry.events
    }
  }

  async function record(ctx: AuditContext, fact: AuditFact): Promise<void> {
    dropOld()
    if (pending.size >= MAX_PENDING) {
      sink.dropped++
      ctx.config.log.warnOnce(
        'audit-dropped',
        `audit.write has not stored ${MAX_PENDING} events yet. Further ones are counted in the next event that is written.`,
      )
      return
    }
    const entry: Pending = { since: Date.now(), events: 1 }
    pending.add(entry)
    const written = (async () => {
      const event = await describeEvent(ctx, fact, { identifiers, clientAddress })
      const missed = sink.dropped
      sink.dropped = 0
      entry.events += missed
      try {
        await write(missed ? { ...event, dropped: missed } : event)
      } catch (error) {
        // The error is logged; the count that the event contained would be lost.
        if (pending.has(entry)) sink.dropped += missed
        throw error
      }
    })().finally(() => pending.delete(entry))
    const limits = {
      what: 'audit.write',
      timeout: TIMEOUTS.event,
      deadline: ctx.deadline ?? Infinity,
      timeoutError: unavailable,
    }
    try {
      await withTimeout(written, limits)
    } catch (cause) {
      ctx.config.log.error(new EventError('audit.write threw or timed out.', { cause }))
    }
  }

  async function recordFailure(ctx: AuditContext, error: Error): Promise<void> {
    const type = classify(error, ctx.request)
    if (!type) return
    const { providerId } = ctx.request
    await record(ctx, {
      type,
      outcome: findErrorRow(error)?.outcome ?? 'failure',
      ref: issueReference(error),
      actor: { kind: 'anonymous' },
      ...('type' in error && { reason: String(error.type) }),
      ...(error instanceof TooManyAttempts && error.limit !== undefined && { limit: error.limit }),
      ...(providerId !== undefined && { provider: providerId }),
      identifier: readIdentifier(ctx),
    })
  }

  return { record, recordFailure }
}
