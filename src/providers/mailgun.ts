import type { EmailConfig, EmailUserConfig } from '../core/config/email.ts'
import { parseSender, basic, mailService, regionHost } from './_mail-service.ts'

export type { EmailConfig, EmailUserConfig } from '../core/config/email.ts'

/** Options of the Mailgun provider. */
export interface MailGunUserConfig extends EmailUserConfig {
  /** Region of the domain. @default 'US' */
  region?: 'US' | 'EU'
}

const HOSTS = { US: 'api.mailgun.net', EU: 'api.eu.mailgun.net' }

function senderDomain(from: string): string {
  return encodeURIComponent(parseSender(from).replace(/^.*@/, ''))
}

/**
 * Magic links and codes (`method`), sent through the HTTP API of Mailgun. Requires an adapter; the domain of `from` must be registered at
 * Mailgun.
 *
 * @throws InvalidConfiguration if `region` is unknown
 * @see https://documentation.mailgun.com/docs/mailgun/api-reference/
 * @example
 * ```ts
 * import MailGun from 'lib-auth/providers/mailgun'
 *
 * // AUTH_MAILGUN_KEY is read where apiKey is left out.
 * export const providers = [MailGun({ from: 'Example <no-reply@example.com>' })]
 * ```
 */
export default function MailGun(options: MailGunUserConfig = {}): EmailConfig {
  const host = regionHost('mailgun', HOSTS, options.region ?? 'US')
  return mailService(
    {
      id: 'mailgun',
      name: 'Mailgun',
      url: ({ from }) => `https://${host}/v3/${senderDomain(from)}/messages`,
      headers: (apiKey) => basic('api', apiKey),
      body: (delivery) => {
        const form = new FormData()
        for (const name of ['from', 'to', 'subject', 'html', 'text'] as const)
          form.append(name, delivery[name])
        return form
      },
    },
    options,
  )
}
