import type { EmailConfig } from '../core/config/email.ts'
import Nodemailer from './nodemailer.ts'
import type { NodemailerUserConfig } from './nodemailer.ts'

export type {
  EmailConfig,
  EmailProviderId,
  EmailProviderType,
  EmailUserConfig,
  VerificationRequest as EmailProviderSendVerificationRequestParams,
} from '../core/config/email.ts'
export type { NodemailerUserConfig } from './nodemailer.ts'

/**
 * {@link Nodemailer} with the former provider id `email`.
 *
 * @deprecated use `lib-auth/providers/nodemailer`; the callback URL then ends with `nodemailer`
 * @throws InvalidConfiguration if `server` is missing or invalid
 * @see https://nodemailer.com/smtp
 * @example
 * ```ts
 * import Nodemailer from 'lib-auth/providers/nodemailer'
 *
 * export const providers = [
 *   Nodemailer({
 *     id: 'email',
 *     server: process.env.EMAIL_SERVER,
 *     from: 'Example <no-reply@example.com>',
 *   }),
 * ]
 * ```
 */
export default function Email(options: NodemailerUserConfig = {}): EmailConfig {
  return { ...Nodemailer(options), id: 'email', name: 'Email' }
}
