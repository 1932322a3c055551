/** Chooses how long the session of a sign-in lasts. */
import { readKeepSignedIn } from '../checks/keep-signed-in.ts'
import { LONGEST_IDLE } from '../config/defaults.ts'
import type { Context, ProvisionedUser } from '../contracts.ts'
import type { Proved } from '../evidence.ts'
import { CallbackRouteError } from '../errors/classes.ts'
import { findErrorRow } from '../errors/table.ts'
import { callHook } from '../hooks.ts'
import { receivedHeaders } from '../http/server-call.ts'
import { isRecord } from '../is-record.ts'
import type { SessionFacts } from '../session/facts.ts'

export type ChosenLifetime = Pick<SessionFacts, 'idle' | 'absolute' | 'keep'>

/** Seconds without use, for a user who does not want to stay signed in: 1 day. */
const SHORT_IDLE: number = 24 * 60 * 60

/** Seconds: 100 years, so that the end of a session is a valid date. */
const MAX_ABSOLUTE: number = 100 * 365 * 24 * 60 * 60

function describe(value: unknown): string {
  if (typeof value === 'number' || value === undefined || value === null) return String(value)
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : typeof value
}

function reject(problem: string): never {
  throw new CallbackRouteError(`session.lifetime ${problem}`)
}

function readSeconds(
  result: Readonly<Record<string, unknown>>,
  name: 'idle' | 'absolute',
  limit: number,
): number | undefined {
  const seconds = result[name]
  if (seconds === undefined) return undefined
  if (typeof seconds === 'number' && seconds >= 1 && seconds <= limit) return Math.floor(seconds)
  return reject(
    `returned ${name}: ${describe(seconds)}. Return a number of seconds from 1 to ${limit}, or leave it out.`,
  )
}

function readCookie({ cookie }: Readonly<Record<string, unknown>>): boolean | undefined {
  if (cookie === undefined) return undefined
  if (cookie === 'persistent' || cookie === 'session') return cookie === 'persistent'
  return reject(
    `returned cookie: ${describe(cookie)}. Return "persistent" or "session", or leave it out.`,
  )
}

/** @throws CallbackRouteError, TemporarilyUnavailable: the sign-in is rejected, so that no session is longer than intended */
async function runLifetime(
  ctx: Context,
  { user, account }: Pick<ProvisionedUser, 'user' | 'account'>,
  remember: boolean | undefined,
): Promise<{ readonly [Name in keyof ChosenLifetime]?: ChosenLifetime[Name] | undefined }> {
  const { choose } = ctx.config.lifetime
  if (!choose) return {}
  const what = 'The function session.lifetime'
  // A copy, because only code of the wrapper may change the headers.
  const headers = new Headers(receivedHeaders(ctx.request.original))
  const facts = { user, account, remember, headers }
  ctx.secrets.addKeysOf(facts)
  let result: unknown
  try {
    result = await callHook<unknown>(ctx, {
      what,
      run: () => choose(facts),
      passes: (error) => findErrorRow(error) !== null,
    })
  } catch (cause) {
    if (findErrorRow(cause)) throw cause
    throw new CallbackRouteError(`${what} threw.`, { cause })
  }
  if (!isRecord(result))
    return reject(`returned ${describe(result)}. Return an object, such as { idle: 3600 } or {}.`)
  return {
    idle: readSeconds(result, 'idle', LONGEST_IDLE),
    absolute: readSeconds(result, 'absolute', MAX_ABSOLUTE),
    keep: readCookie(result),
  }
}

/** A session that replaces another one, to confirm who the user is or to link an account, outlives the browser if that did. */
async function choiceBefore(ctx: Context, evidence: Proved): Promise<boolean | undefined> {
  const isLink = evidence.proves === 'account' && evidence.initiatingUser !== null
  if (!evidence.stepUp && !(isLink && ctx.config.keepsFacts)) return undefined
  return (await ctx.config.session.subject(ctx))?.facts()?.keep
}

/** The default of a user who does not want to stay signed in is short, whether or not `session.lifetime` is set. */
export async function chooseLifetime(
  ctx: Context,
  evidence: Proved,
  signedIn: Pick<ProvisionedUser, 'user' | 'account'>,
): Promise<ChosenLifetime & { readonly isDefault: boolean }> {
  const { maxAge, absoluteMaxAge } = ctx.config.lifetime
  const remember =
    readKeepSignedIn(ctx) ?? evidence.keepSignedIn ?? (await choiceBefore(ctx, evidence))
  const { idle, absolute, keep } = await runLifetime(ctx, signedIn, remember)
  const isShort = remember === false
  const longest = Math.min(absolute ?? Infinity, absoluteMaxAge)
  return {
    idle: idle ?? (isShort ? Math.min(maxAge, SHORT_IDLE) : maxAge),
    absolute: longest === Infinity ? null : longest,
    keep: keep ?? !isShort,
    isDefault: !isShort && idle === undefined && absolute === undefined && keep === undefined,
  }
}
