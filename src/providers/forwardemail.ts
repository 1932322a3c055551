import type { EmailConfig, EmailUserConfig } from '../core/config/email.ts'
import { basic, mailService } from './_mail-service.ts'

export type { EmailConfig, EmailUserConfig } from '../core/config/email.ts'

/**
 * Magic links and codes (`method`), sent through the HTTP API of Forward Email. Requires an adapter.
 *
 * @see https://forwardemail.net/en/email-api
 * @example
 * ```ts
 * import ForwardEmail from 'lib-auth/providers/forwardemail'
 *
 * // AUTH_FORWARDEMAIL_KEY is read where apiKey is left out.
 * export const providers = [ForwardEmail({ from: 'Example <no-reply@example.com>' })]
 * ```
 */
export default function ForwardEmail(options: EmailUserConfig = {}): EmailConfig {
  return mailService(
    {
      id: 'forwardemail',
      name: 'Forward Email',
      url: 'https://api.forwardemail.net/v1/emails',
      headers: (apiKey) => basic(apiKey, ''),
      body: ({ from, to, subject, html, text }) => ({ from, to, subject, html, text }),
    },
    options,
  )
}
