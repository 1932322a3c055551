/** Limits on guessing passwords, by the account that the credentials name. */
import type { CredentialsConfig } from '../config/credentials.ts'
import type { Context } from '../contracts.ts'
import type { CommonEvidence } from '../evidence.ts'
import { CallbackRouteError } from '../errors/classes.ts'
import { rebuildRequest } from '../http/parse.ts'
import { runsInProduction } from '../config/variables.ts'
import { consumeLimit, rejectLimited } from './consume.ts'
import type { Charge } from './consume.ts'
import { findBrowser, isRemembering, mailboxText, rememberBrowser } from './known-browser.ts'

const FIELDS = ['email', 'username', 'login', 'phone'] as const

type Credentials = Readonly<Record<string, unknown>>

/** Values that are not texts share one key, because `authorize` may read an account from any structure. */
function readText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '{}'
}

/**
 * All of these fields that are present, since a request can contain those that `authorize` does not read. Fields that
 * the form does not have are ignored, unless it has none of these.
 */
function findNames(credentials: Credentials, { credentials: form = {} }: CredentialsConfig) {
  const declared = FIELDS.filter((name) => Object.hasOwn(form, name))
  const fields = declared.length > 0 ? declared : FIELDS
  return fields.flatMap((name) => {
    const value = credentials[name]
    return value === undefined || value === null || value === '' ? [] : [[name, value] as const]
  })
}

export interface PasswordAttempt {
  readonly config: CredentialsConfig
  readonly credentials: Credentials
  /** All of them that can claim which account it is. */
  readonly claimed: unknown
}

/** The digits of a telephone number, with and without an extension: applications remove signs and letters in different ways. */
function readNumbers(phone: string): readonly string[] {
  const withoutExtension = phone.replace(/^(\P{N}*\p{N}[^\p{L};,#]*).*$/su, '$1')
  return [phone, withoutExtension].map((text) => text.replace(/[^\p{N}]/gu, '')).filter(Boolean)
}

export interface Identity {
  readonly names: readonly string[]
  /** What a browser is remembered for, as JSON. */
  readonly typed: string
  /** The address of a magic link or code that makes a browser known as well. */
  readonly mailbox: string | null
}

type Found = Omit<Identity, 'typed'> & { readonly typed: unknown }

/** Whether the form has nothing but a name and the password, so that no other field can name another account. */
function hasOneName({ credentials: form = {} }: CredentialsConfig): boolean {
  const [name, ...others] = Object.keys(form).filter((field) => field !== 'password')
  return others.length === 0 && FIELDS.some((field) => field === name)
}

/**
 * `typed` is what a browser is remembered for: everything in the form but secrets, exactly as it is. `authorize` may
 * distinguish what is one name for the limits, and may ignore a name, which can be that of another user.
 */
function readNames({ credentials, config, claimed }: PasswordAttempt): Found {
  const found = findNames(credentials, config)
  const names = found.flatMap(([field, value]) => {
    const text = readText(value)
    return field === 'phone' ? [text, ...readNumbers(text)] : [text]
  })
  const mailbox = hasOneName(config) ? (names[0] ?? null) : null
  return { names, typed: [claimed, found], mailbox }
}

function askIdentifier(
  { config: { protection }, request, secrets }: Context,
  credentials: Credentials,
): Found | null {
  if (!protection?.identifier) return null
  secrets.add(credentials)
  try {
    const name: unknown = protection.identifier(credentials, rebuildRequest(request))
    const typed = typeof name === 'string' ? name : null
    return { names: typed ? [typed] : [], typed, mailbox: typed }
  } catch (cause) {
    throw new CallbackRouteError('protection.identifier threw.', secrets.redact(cause))
  }
}

export function readIdentity(ctx: Context, attempt: PasswordAttempt): Identity {
  const found = askIdentifier(ctx, attempt.credentials) ?? readNames(attempt)
  return { ...found, typed: JSON.stringify([attempt.config.id, found.typed]) }
}

export interface PasswordCharge extends Pick<Charge, 'refund'> {
  /** Makes this a known browser, after the sign-in. */
  readonly remember?: CommonEvidence['remember']
  /** What it is known for. */
  readonly typed?: string
}

function reportMissingName({ protection, log }: Context['config'], provider: string): void {
  const hasAddress = protection?.clientAddress !== undefined
  // In production, requests without the field are those of scanners.
  if (hasAddress && runsInProduction()) return
  log.warnOnce(
    'no-identifier',
    `The credentials of provider ${provider} name no account, so ${hasAddress ? 'only the limit by client address' : 'no limit'} applies. Return the account in protection.identifier, or name its field ${FIELDS.join(', ')}.`,
  )
}

/** @throws TooManyAttempts, ChallengeRequired */
export async function consumePassword(
  ctx: Context,
  provider: string,
  { names, typed, mailbox }: Identity,
): Promise<PasswordCharge> {
  if (names.length === 0) reportMissingName(ctx.config, provider)
  const isRemembered = isRemembering(ctx) && names.length > 0
  const texts = mailbox === null ? [typed] : [typed, mailboxText(mailbox)]
  const found = isRemembered ? await findBrowser(ctx, texts) : { browser: null, device: null }
  const { device } = found
  const { refund } = rejectLimited(
    device === null
      ? await consumeLimit(ctx, 'password', { account: names })
      : await consumeLimit(ctx, 'password.known', { account: names, device }),
  )
  if (!isRemembered) return { refund }
  const remember: CommonEvidence['remember'] = (userId, subjectId) =>
    rememberBrowser(ctx, { text: typed, userId, subjectId, ...found })
  return { refund, remember, typed }
}
