import { guardedFetch } from '../flows/oauth/fetch.ts'
import type { HttpPolicy } from '../flows/oauth/endpoint-url.ts'
import type { AccountMail } from '../mail/account-mail.ts'
import type { Fetch } from '../types.ts'
import type { EmailConfig } from './email.ts'

/** The provider of the sign-in mails, and the site. */
interface Transport {
  readonly provider: EmailConfig
  readonly fetch: Fetch | undefined
  readonly http: HttpPolicy
  /** Empty outside of a request. */
  readonly origin: string
}

export async function sendThroughProvider(
  { provider, fetch = globalThis.fetch, http, origin }: Transport,
  { to, subject, text, html, url }: AccountMail,
): Promise<void> {
  const host = origin === '' ? undefined : new URL(origin).hostname
  const mail = { to, subject, text, html, url, host, provider }
  await provider.sendMail?.({ ...mail, fetch: guardedFetch(fetch, { http }) })
}
