import type { EmailConfig } from '../config/email.ts'
import Nodemailer from './nodemailer.ts'
import type { NodemailerUserConfig } from './nodemailer.ts'

/**
 * {@link Nodemailer} under the id it had before there were other ways to send mail.
 *
 * @deprecated use `lib-auth/providers/nodemailer`; the callback URL then ends with its id
 * @throws InvalidConfiguration without `server`
 */
export default function Email(options: NodemailerUserConfig = {}): EmailConfig {
  return { ...Nodemailer(options), id: 'email', name: 'Email' }
}
