/** Limits on guessing passwords, by the account that the credentials name. */
import type { CredentialsConfig } from '../config/credentials.ts'
import type { Context } from '../contracts.ts'
import { CallbackRouteError } from '../errors/classes.ts'
import { rebuildRequest } from '../http/parse.ts'
import { runsInProduction } from '../config/variables.ts'
import {
  isKnownFor,
  isRemembering,
  mailboxText,
  readKnownBrowser,
  rememberBrowser,
} from './device.ts'
import type { KnownBrowser } from './device.ts'
import { hashAll, hashNames } from './hash.ts'
import { rejectLimited, takeHashed } from './consume.ts'
import type { Charge } from './consume.ts'

const FIELDS = ['email', 'username', 'login', 'phone'] as const

type Credentials = Readonly<Record<string, unknown>>

/** Values that are not texts share one key, because `authorize` may read an account from any structure. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '{}'
}

/**
 * All of these fields that are present, since a request can contain those that `authorize` does not read. Fields that
 * the form does not have are ignored, unless it has none of these.
 */
function namesIn(credentials: Credentials, { credentials: form = {} }: CredentialsConfig) {
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
  /** All of them that can state which account it is. */
  readonly stated: unknown
}

/** The digits of a telephone number, with and without an extension: applications remove signs and letters in different ways. */
function numbersIn(phone: string): readonly string[] {
  const withoutExtension = phone.replace(/^(\P{N}*\p{N}[^\p{L};,#]*).*$/su, '$1')
  return [phone, withoutExtension].map((text) => text.replace(/[^\p{N}]/gu, '')).filter(Boolean)
}

interface Named {
  readonly names: readonly unknown[]
  readonly typed: unknown
  /** The address of a magic link or code that makes a browser known as well. */
  readonly mailbox: string | null
}

/** Whether the form has nothing but a name and the password, so that no other field can name another account. */
function hasOneName({ credentials: form = {} }: CredentialsConfig): boolean {
  const [name, ...others] = Object.keys(form).filter((field) => field !== 'password')
  return others.length === 0 && FIELDS.some((field) => field === name)
}

/**
 * `typed` is what a browser is remembered for: everything in the form but secrets, exactly as it is. `authorize` may
 * distinguish what is one name for the limits, and may ignore a name, which can be that of another user.
 */
function readNames({ credentials, config, stated }: PasswordAttempt): Named {
  const found = namesIn(credentials, config)
  const names = found.flatMap(([field, value]) => {
    const text = textOf(value)
    return field === 'phone' ? [text, ...numbersIn(text)] : [text]
  })
  const mailbox = hasOneName(config) ? (names[0] ?? null) : null
  return { names, typed: [stated, found], mailbox }
}

function askIdentifier(
  { config: { protection }, request, secrets }: Context,
  credentials: Credentials,
): Named | null {
  if (!protection?.identifier) return null
  secrets.add(credentials)
  try {
    const name: unknown = protection.identifier(credentials, rebuildRequest(request))
    const typed = typeof name === 'string' ? name : null
    return { names: [name], typed, mailbox: typed }
  } catch (cause) {
    throw new CallbackRouteError('protection.identifier threw.', secrets.redact(cause))
  }
}

export interface Identity {
  readonly names: readonly string[]
  /** What a browser is remembered for, as JSON. */
  readonly typed: string
  readonly mailbox: string | null
}

export function identityOf(ctx: Context, attempt: PasswordAttempt): Identity {
  const { credentials, config } = attempt
  const found = askIdentifier(ctx, credentials) ?? readNames(attempt)
  const isName = (name: unknown): name is string => typeof name === 'string' && name !== ''
  const names = found.names.filter(isName)
  return { names, typed: JSON.stringify([config.id, found.typed]), mailbox: found.mailbox }
}

export interface PasswordCharge extends Pick<Charge, 'refund'> {
  /** Makes this a known browser, after the sign-in. */
  readonly remember?: (userId: string | undefined) => Promise<void>
}

async function isKnown(
  ctx: Context,
  browser: KnownBrowser,
  { typed, mailbox }: Pick<Identity, 'typed' | 'mailbox'>,
): Promise<boolean> {
  if (await isKnownFor(ctx, browser, typed)) return true
  return mailbox !== null && isKnownFor(ctx, browser, mailboxText(mailbox))
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
export async function chargePassword(
  ctx: Context,
  provider: string,
  { names, typed, mailbox }: Identity,
): Promise<PasswordCharge> {
  if (names.length === 0) reportMissingName(ctx.config, provider)
  const named = await hashNames(ctx, 'account', names)
  const isRemembered = isRemembering(ctx) && names.length > 0
  const browser = isRemembered ? await readKnownBrowser(ctx) : null
  const wasKnown = browser !== null && (await isKnown(ctx, browser, { typed, mailbox }))
  const charged =
    browser && wasKnown
      ? await takeHashed(ctx, 'password.known', {
          ...named,
          device: await hashAll(ctx, 'device', browser.id),
        })
      : await takeHashed(ctx, 'password', named)
  const { refund } = rejectLimited(charged)
  if (!isRemembered) return { refund }
  const remember = (userId: string | undefined) =>
    rememberBrowser(ctx, { text: typed, userId, browser, wasKnown })
  return { refund, remember }
}
