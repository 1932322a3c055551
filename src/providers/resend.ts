import type { EmailConfig, EmailUserConfig } from '../core/config/email.ts'
import { bearer, mailService } from './_mail-service.ts'

export type { EmailConfig, EmailUserConfig } from '../core/config/email.ts'

/**
 * Magic links and codes (`method`), sent through the HTTP API of Resend. Requires an adapter.
 *
 * @see https://resend.com/docs/api-reference/emails/send-email
 * @example
 * ```ts
 * import Resend from 'lib-auth/providers/resend'
 *
 * // AUTH_RESEND_KEY is read where apiKey is left out.
 * export const providers = [Resend({ from: 'Example <no-reply@example.com>' })]
 * ```
 */
export default function Resend(options: EmailUserConfig = {}): EmailConfig {
  return mailService(
    {
      id: 'resend',
      name: 'Resend',
      url: 'https://api.resend.com/emails',
      headers: bearer,
      body: ({ from, to, subject, html, text }) => ({ from, to, subject, html, text }),
    },
    options,
  )
}
