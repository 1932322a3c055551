/** The e-mail address that a user submits. */
import { shownChoice } from '../../checks/keep-signed-in.ts'
import { mailsRequested, readForm, setSealedCookie } from '../../checks/sealed-cookie.ts'
import type { EmailConfig } from '../../config/email.ts'
import type { Context } from '../../contracts.ts'
import {
  CallbackRouteError,
  EmailSignInError,
  InvalidRequest,
  TemporarilyUnavailable,
} from '../../errors/classes.ts'
import { callHook } from '../../hooks.ts'
import { noteIdentifier } from '../../log/identifier.ts'
import { normalizeAddress } from '../../identity/mail-address.ts'

/** Errors that indicate a bug in `normalizeIdentifier` rather than an invalid address. */
const BUG = /^(?:Range|Reference|Syntax|Type)Error$/

/** Keeps the address for the built-in pages: to correct it, to name it after the mail was sent, and to count mails. */
async function keepAddress(ctx: Context, form: string, email: string): Promise<void> {
  const { signIn, verifyRequest } = ctx.config.pages
  const isShown = ctx.request.form !== undefined && !(signIn && verifyRequest)
  if (!isShown || email.length > 254) return
  const before = await readForm(ctx)
  const isSame = before?.form === form && before.values['email'] === email
  const requested = String(isSame ? mailsRequested(before) + 1 : 1)
  const values = { email, requested, ...shownChoice(ctx) }
  await setSealedCookie(ctx, 'form', { form, values })
}

/** The normalized address. @throws EmailSignInError for an invalid one */
export async function normalizedAddress(
  ctx: Context,
  { id, config }: { readonly id: string; readonly config: EmailConfig },
): Promise<string> {
  const { email } = ctx.request.body
  if (typeof email !== 'string')
    throw new InvalidRequest('The field "email" is missing or not a string.')
  ctx.secrets.add(email)
  // The built-in page sends a password, too, if the user typed one before choosing the mail.
  ctx.secrets.addKeysOf(ctx.request.body)
  noteIdentifier(ctx, email)
  await keepAddress(ctx, id, email)
  let address: unknown
  try {
    const run = () =>
      config.normalizeIdentifier ? config.normalizeIdentifier(email) : normalizeAddress(email)
    // Awaited although its type is synchronous: an async function could otherwise cause an unhandled rejection.
    address = await callHook(ctx, { what: 'normalizeIdentifier', run })
  } catch (cause) {
    if (cause instanceof TemporarilyUnavailable)
      throw new EmailSignInError('normalizeIdentifier did not return in time.', { cause })
    const name = cause instanceof Error ? cause.name : ''
    const advice = `normalizeIdentifier threw a ${name}. To reject an address, throw an Error.`
    if (BUG.test(name)) throw new CallbackRouteError(advice, { cause })
    const reason = 'normalizeIdentifier rejected the e-mail address.'
    throw new EmailSignInError(reason, { code: 'invalid_address', cause })
  }
  if (typeof address === 'string' && address) {
    noteIdentifier(ctx, address)
    return address
  }
  throw new CallbackRouteError(
    'normalizeIdentifier did not return a string. Return the address, or throw an Error to reject it.',
  )
}
