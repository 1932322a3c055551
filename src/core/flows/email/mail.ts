/** The secrets of a mail, and sending it. */
import type { Context } from '../../contracts.ts'
import { randomHex } from '../../crypto/digest.ts'
import { AuthError } from '../../errors/base.ts'
import {
  AdapterError,
  CallbackRouteError,
  EmailSignInError,
  InvalidConfiguration,
  TemporarilyUnavailable,
} from '../../errors/classes.ts'
import { callHook } from '../../hooks.ts'
import { rebuildRequest } from '../../http/parse.ts'
import { isPasswordField } from '../../pages/field.ts'
import { TIMEOUTS } from '../../async/timeout.ts'
import { CODE_DIGITS, isGuessable, normalizeCode, randomDigits } from './code.ts'
import type { EmailProvider, LinkKey } from './link.ts'

/** The secrets of a mail; `null` for what it does not contain. */
export type MailSecrets =
  | { readonly link: string; readonly code: string | null }
  | { readonly link: null; readonly code: string }

async function generateToken(ctx: Context, { config }: EmailProvider): Promise<string | undefined> {
  const generated: unknown = await callHook(ctx, {
    what: 'generateVerificationToken',
    run: () => config.generateVerificationToken?.(),
    passes: (error) => error instanceof AuthError,
  })
  if (generated === undefined || generated === null) return undefined
  if (typeof generated === 'string' && generated) return generated
  throw new CallbackRouteError(
    'generateVerificationToken did not return a string. Return a random token, or undefined for the default.',
  )
}

/** @throws InvalidConfiguration if a short token of the application has fewer characters than a code */
function requireCodeLength(generated: string): string {
  const { length } = normalizeCode(generated)
  if (length >= CODE_DIGITS) return generated
  throw new InvalidConfiguration(
    `generateVerificationToken returned a code of ${length} characters. Return at least ${CODE_DIGITS} random digits, or 128 random bits for a link.`,
  )
}

/** A short token of the application is a code, because tries for a link are not counted. */
export async function generateSecrets(ctx: Context, provider: EmailProvider): Promise<MailSecrets> {
  const { method = 'link' } = provider.config
  const generated = await generateToken(ctx, provider)
  const isCode = generated !== undefined && isGuessable(generated)
  const token = isCode ? undefined : generated
  const code = isCode ? requireCodeLength(generated) : randomDigits(CODE_DIGITS)
  if (method === 'both') return { link: token ?? randomHex(), code }
  if (method === 'code' || isCode) return { link: null, code }
  return { link: token ?? randomHex(), code: null }
}

function passwordsIn(url: string): readonly unknown[] {
  if (!URL.canParse(url)) return []
  const { password } = new URL(url)
  return [password, new URLSearchParams(`p=${password.replaceAll('+', '%2B')}`).get('p')]
}

const OWN_FIELDS: ReadonlySet<string> = new Set(['email', 'csrfToken', 'callbackUrl'])

/** The form of the sign-in page is also that of a password, which a password manager fills in. */
function isOfAnotherMethod({ config: { providers } }: Context, field: string): boolean {
  if (OWN_FIELDS.has(field)) return false
  const offers = providers.ids.map((id) => providers.get(id)?.offer)
  const isDeclared = offers.some(
    (offer) => offer?.kind === 'form' && Object.hasOwn(offer.fields, field),
  )
  return isDeclared || isPasswordField(field, {})
}

interface SentMail {
  readonly identifier: string
  readonly url: string
  readonly token: string
  readonly code?: string
  readonly expires: Date
}

/** Deletes links and codes; an outage is logged, and leaves them valid until they expire. */
export async function deleteRows(
  ctx: Context,
  { database }: EmailProvider,
  rows: readonly LinkKey[],
): Promise<void> {
  for (const row of rows) {
    try {
      await database.call(ctx, 'useVerificationToken', row)
    } catch (error) {
      if (!(error instanceof AdapterError)) throw error
      ctx.config.log.error(error)
    }
  }
}

/** Sends the mail; if that fails, deletes the rows, so that what it contains is not valid. */
export async function sendMail(
  ctx: Context,
  provider: EmailProvider,
  sent: SentMail,
  rows: readonly LinkKey[],
): Promise<void> {
  const { id, config, fetch } = provider
  const { theme, log } = ctx.config
  const request = rebuildRequest(ctx.request, (field) => isOfAnotherMethod(ctx, field))
  const params = { ...sent, provider: config, theme, request, fetch }
  const { server } = config
  ctx.secrets.add(Object.values(sent))
  ctx.secrets.addKeysOf(config)
  if (typeof server === 'string') ctx.secrets.add([server, ...passwordsIn(server)])
  try {
    await callHook(ctx, {
      what: `sendVerificationRequest of provider ${id}`,
      run: () => config.sendVerificationRequest?.(params),
      timeout: TIMEOUTS.mail,
    })
  } catch (cause) {
    // The link and the code stay valid, because the mail may still arrive.
    if (cause instanceof TemporarilyUnavailable) {
      const message = 'sendVerificationRequest timed out; the mail may still arrive.'
      log.error(new EmailSignInError(message, cause))
      return
    }
    await deleteRows(ctx, provider, rows)
    const message = 'sendVerificationRequest threw: the mail was not sent.'
    throw new EmailSignInError(message, { provider: id, cause })
  }
}
