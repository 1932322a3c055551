import { shownChoice } from '../../checks/keep-signed-in.ts'
import { REMEMBER, REMEMBER_SHOWN } from '../../http/call-options.ts'
import { resolveReturnUrl } from '../../checks/return-to.ts'
import { setSealedCookie } from '../../checks/sealed-cookie.ts'
import type { CredentialsConfig } from '../../config/credentials.ts'
import type { Context, Evidence, Reply } from '../../contracts.ts'
import { AuthError } from '../../errors/base.ts'
import { CallbackRouteError, CredentialsSignin, InvalidRequest } from '../../errors/classes.ts'
import { isCredentialsSignin } from '../../errors/table.ts'
import { callHook } from '../../hooks.ts'
import { pageUrl } from '../../http/path.ts'
import { rebuildRequest } from '../../http/parse.ts'
import { isRecord } from '../../is-record.ts'
import { consumePassword, readIdentity } from '../../limits/password.ts'
import type { PasswordCharge } from '../../limits/password.ts'
import { noteIdentifier } from '../../log/identifier.ts'
import { isFilledIn, isPasswordField, keptValues } from '../../pages/field.ts'
import type { User } from '../../types.ts'
import { statedValues } from './stated-values.ts'

/** Fields of the library that are not passed to `authorize`. */
const OWN_FIELDS: ReadonlySet<string> = new Set([
  'csrfToken',
  'callbackUrl',
  'stepUp',
  REMEMBER_SHOWN,
])

/** Options of clients, which some send in a JSON body as `true` or `false`. */
const CLIENT_OPTIONS: ReadonlySet<string> = new Set(['redirect', 'json', REMEMBER])

type Credentials = Record<string, unknown>

function readCredentials(
  { request, config }: Context,
  { jsonValues, credentials: fields = {} }: CredentialsConfig,
): Credentials {
  const credentials: Credentials = {}
  // Without the option, and with a field of this name, it is one of the application.
  const isOwn = config.lifetime.hasLifetime && !Object.hasOwn(fields, REMEMBER)
  for (const [name, value] of Object.entries(request.body)) {
    if (OWN_FIELDS.has(name) || (isOwn && name === REMEMBER)) continue
    if (!jsonValues && typeof value === 'boolean' && CLIENT_OPTIONS.has(name)) continue
    if (!jsonValues && typeof value !== 'string')
      throw new InvalidRequest(
        `The field "${name}" is not a string. Send a string, or set jsonValues: true on the provider.`,
      )
    credentials[name] = value
  }
  return credentials
}

async function runAuthorize(
  ctx: Context,
  config: CredentialsConfig,
  credentials: Credentials,
): Promise<unknown> {
  ctx.secrets.add(credentials)
  const what = `The authorize function of provider ${config.id}`
  const run = () => config.authorize?.(credentials, rebuildRequest(ctx.request))
  try {
    return await callHook(ctx, { what, run, passes: isAuthError })
  } catch (cause) {
    if (isAuthError(cause)) throw cause
    throw new CallbackRouteError(`${what} threw.`, { cause, provider: config.id })
  }
}

const isAuthError = (error: unknown): boolean =>
  error instanceof AuthError || isCredentialsSignin(error)

function isUser(value: unknown): value is User {
  return isRecord(value)
}

function identified(config: CredentialsConfig, result: unknown): User & { readonly id: string } {
  const user = isUser(result) ? result : {}
  const stated: unknown = user.id ?? user.email
  const isNumber = typeof stated === 'bigint' || Number.isFinite(stated)
  const id = isNumber ? String(stated) : stated
  if (typeof id === 'string' && id !== '') return { ...user, id }
  throw new CallbackRouteError(
    `The authorize function of provider ${config.id} returned a user without an id. Return an object with id or email, or null.`,
  )
}

/** Keeps what was typed for the built-in sign-in page, and which guest was refused. */
async function keepForm(ctx: Context, config: CredentialsConfig): Promise<void> {
  const isShown = ctx.request.form !== undefined && !ctx.config.pages.signIn
  const { id: form, credentials: fields } = config
  // Read again, because `authorize` may have changed its object.
  const typed = keptValues(fields ?? {}, readCredentials(ctx, config))
  const values = { ...typed, ...shownChoice(ctx) }
  if (isShown && (Object.keys(values).length > 0 || (fields && !isFilledIn(fields))))
    await setSealedCookie(ctx, 'form', { form, values })
}

export async function complete(ctx: Context, config: CredentialsConfig): Promise<Evidence> {
  const credentials = readCredentials(ctx, config)
  const target = await resolveReturnUrl(ctx)
  const { credentials: form = {} } = config
  const claimed = statedValues(form, credentials)
  const identity = readIdentity(ctx, { config, credentials, claimed })
  const [name] = identity.names
  if (name !== undefined) noteIdentifier(ctx, name)
  const checkedSince = Date.now()
  let charged: PasswordCharge | undefined
  let result: unknown = null
  try {
    charged = ctx.config.protection && (await consumePassword(ctx, config.id, identity))
    result = await runAuthorize(ctx, config, credentials)
  } finally {
    if (!result) await keepForm(ctx, config)
  }
  ctx.config.log.debug?.('authorize returned', {
    provider: config.id,
    result: result ? 'a user' : 'no user',
  })
  if (!result) throw new CredentialsSignin('The authorize function returned no user.')
  await charged?.refund()
  const user = identified(config, result)
  const account = { providerAccountId: user.id, type: 'credentials', provider: config.id } as const
  return {
    proves: 'user',
    hasPassword: Object.entries(form).some(([each, input]) => isPasswordField(each, input)),
    user,
    account,
    credentials,
    isNewUser: false,
    mayCreate: config.createUser === true,
    checkedSince,
    remember: charged?.remember,
    typed: charged?.typed,
    returnTo: target,
  }
}

/** The sign-in page contains the credentials form, so there is no separate first step. */
export function begin(ctx: Context): Reply {
  return { status: 302, redirect: pageUrl('signIn', ctx).href }
}
