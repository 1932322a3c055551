import type { EmailConfig, EmailUserConfig } from '../core/config/email.ts'
import { parseSender, bearer, mailService, regionHost } from './_mail-service.ts'

export type { EmailConfig, EmailUserConfig } from '../core/config/email.ts'

/** Options of the SendGrid provider. */
export interface SendGridUserConfig extends EmailUserConfig {
  /** Region of the account. @default 'US' */
  region?: 'US' | 'EU'
}

const HOSTS = { US: 'api.sendgrid.com', EU: 'api.eu.sendgrid.com' }

function sender(from: string): { email: string; name?: string } {
  const email = parseSender(from)
  const name = from.replace(/<[^<>]*>\s*$/, '').trim()
  return name === email ? { email } : { email, name }
}

/**
 * Magic links and codes (`method`), sent through the HTTP API of SendGrid. Requires an adapter.
 *
 * @throws InvalidConfiguration if `region` is unknown
 * @see https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send
 * @example
 * ```ts
 * import SendGrid from 'lib-auth/providers/sendgrid'
 *
 * // AUTH_SENDGRID_KEY is read where apiKey is left out.
 * export const providers = [SendGrid({ from: 'Example <no-reply@example.com>' })]
 * ```
 */
export default function SendGrid(options: SendGridUserConfig = {}): EmailConfig {
  const host = regionHost('sendgrid', HOSTS, options.region ?? 'US')
  return mailService(
    {
      id: 'sendgrid',
      name: 'SendGrid',
      url: `https://${host}/v3/mail/send`,
      headers: bearer,
      body: ({ from, to, subject, html, text }) => ({
        personalizations: [{ to: [{ email: to }] }],
        from: sender(from),
        subject,
        content: [
          { type: 'text/plain', value: text },
          { type: 'text/html', value: html },
        ],
      }),
    },
    options,
  )
}
