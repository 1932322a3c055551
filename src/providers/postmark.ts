import type { EmailConfig, EmailUserConfig } from '../core/config/email.ts'
import { mailService } from './_mail-service.ts'

export type { EmailConfig, EmailUserConfig } from '../core/config/email.ts'

/**
 * Magic links and codes (`method`), sent through the HTTP API of Postmark. Requires an adapter.
 *
 * @see https://postmarkapp.com/developer/api/email-api
 * @example
 * ```ts
 * import Postmark from 'lib-auth/providers/postmark'
 *
 * // AUTH_POSTMARK_KEY is read where apiKey is left out.
 * export const providers = [Postmark({ from: 'Example <no-reply@example.com>' })]
 * ```
 */
export default function Postmark(options: EmailUserConfig = {}): EmailConfig {
  return mailService(
    {
      id: 'postmark',
      name: 'Postmark',
      url: 'https://api.postmarkapp.com/email',
      headers: (apiKey) => ({ 'x-postmark-server-token': apiKey }),
      body: ({ from, to, subject, html, text }) => ({
        From: from,
        To: to,
        Subject: subject,
        TextBody: text,
        HtmlBody: html,
        MessageStream: 'outbound',
      }),
    },
    options,
  )
}
