/** Limits on guessing passwords, by the account that the credentials name. */
import type { CredentialsConfig } from '../config/credentials.ts'
import type { Context } from '../contracts.ts'
import { CallbackRouteError } from '../errors/classes.ts'
import { nodeEnv } from '../variables.ts'
import { readKnownBrowser } from './device.ts'
import { hashAll, rejectLimited, takeHashed } from './take.ts'
import type { Charge } from './take.ts'

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
    return value === undefined || value === null || value === '' ? [] : [textOf(value)]
  })
}

function identifiersOf(
  { config: { protection, log }, secrets }: Context,
  credentials: Credentials,
  config: CredentialsConfig,
): readonly string[] {
  let found: readonly unknown[]
  secrets.add(credentials)
  try {
    found = protection?.identifier
      ? [protection.identifier(credentials)]
      : namesIn(credentials, config)
  } catch (cause) {
    throw new CallbackRouteError('protection.identifier threw.', secrets.redact(cause))
  }
  const names = found.filter((name): name is string => typeof name === 'string' && name !== '')
  if (names.length === 0 && nodeEnv() === 'development')
    log.warnOnce(
      'no-identifier',
      `The credentials of provider ${config.id} name no account, so only the limit by client address applies. Set protection.identifier.`,
    )
  return names
}

/** The charge, and what the cookie of a known browser has to contain after the sign-in. */
export interface PasswordCharge extends Pick<Charge, 'refund'> {
  readonly accounts: readonly string[]
}

/** @throws TooManyAttempts, ChallengeRequired */
export async function chargePassword(
  ctx: Context,
  credentials: Credentials,
  config: CredentialsConfig,
): Promise<PasswordCharge> {
  const account = await hashAll(ctx, 'account', identifiersOf(ctx, credentials, config))
  const isRemembered = ctx.config.protection?.knownBrowsers !== 'off' && account.length > 0
  const browser = isRemembered ? await readKnownBrowser(ctx) : null
  const isKnown = browser && account.every((each) => browser.accounts.includes(each))
  const charged = isKnown
    ? await takeHashed(ctx, 'known', { account, device: await hashAll(ctx, 'device', browser.id) })
    : await takeHashed(ctx, 'password', { account })
  const { refund } = rejectLimited(charged)
  return { refund, accounts: isRemembered ? account : [] }
}
