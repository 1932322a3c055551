import type {
  EmailConfig,
  EmailUserConfig,
  ProviderMail,
  VerificationRequest,
} from '../core/config/email.ts'
import type { Fetch } from '../core/types.ts'
import { EmailSignInError, InvalidConfiguration } from '../core/errors/classes.ts'
import { redactSecrets } from '../core/log/redact-error.ts'
import { providerNames } from '../core/config/variables.ts'
import { hasLink, oneMailbox, senderOf, signInMail } from './_mail.ts'
import type { Mail } from './_mail.ts'

/** A mail, and the settings of the request that sends it. */
export interface Delivery extends Mail {
  readonly from: string
  readonly to: string
  /** The link in the mail; empty without one. */
  readonly url: string
  /** Absent if the mail contains only a link. */
  readonly code?: string | undefined
  /** Whether the mail contains the link. */
  readonly hasLink: boolean
  readonly apiKey: string
}

/** The HTTP API of a mail service. */
export interface MailService {
  readonly id: string
  readonly name: string
  /** The endpoint that sends one mail. */
  readonly url: string | ((delivery: Delivery) => string)
  readonly headers: (apiKey: string) => Readonly<Record<string, string>>
  /** An object is sent as JSON. */
  readonly body: (delivery: Delivery) => object
  /** Whether the text is a template at the service, so that it sends nothing but sign-in mails. */
  readonly isTemplate?: true
}

const MAX_ERROR_LENGTH = 500

/** The address in `Name <address>` or `address`. */
export function parseSender(from: string): string {
  return (/<([^<>]+)>\s*$/.exec(from)?.[1] ?? from).trim()
}

export function bearer(apiKey: string): Record<string, string> {
  return { authorization: `Bearer ${apiKey}` }
}

/** HTTP Basic authentication (RFC 7617). */
export function basic(user: string, password: string): Record<string, string> {
  return { authorization: `Basic ${btoa(`${user}:${password}`)}` }
}

/** The host of a region. @throws InvalidConfiguration if there is no such region */
export function regionHost(
  id: string,
  hosts: Readonly<Record<string, string>>,
  region: string,
): string {
  const host = new Map(Object.entries(hosts)).get(region)
  if (host) return host
  throw new InvalidConfiguration(
    `Provider ${id} has an unknown region (got "${region}"). Set region to ${Object.keys(hosts).join(' or ')}.`,
  )
}

function requireKey({ id, apiKey }: EmailConfig): string {
  if (apiKey) return apiKey
  throw new InvalidConfiguration(
    `Provider ${id} has no apiKey. Set it, or ${providerNames(id, 'apiKey')[0]} in the environment.`,
  )
}

/** What a mail consists of, but for the settings of the provider. */
interface Outgoing extends Omit<Delivery, 'from' | 'apiKey'> {
  /** Host of the site. */
  readonly host: string | undefined
  readonly provider: EmailConfig
  readonly fetch: Fetch
  readonly secrets: readonly unknown[]
}

async function deliver(service: MailService, outgoing: Outgoing): Promise<void> {
  const { host, provider, fetch, secrets: contained, ...mail } = outgoing
  const from = senderOf(provider, host)
  const apiKey = requireKey(provider)
  const delivery = { ...mail, from, apiKey }
  const endpoint = typeof service.url === 'string' ? service.url : service.url(delivery)
  const body = service.body(delivery)
  const isForm = body instanceof FormData
  const credentials = service.headers(apiKey)
  const headers = {
    accept: 'application/json',
    ...(!isForm && { 'content-type': 'application/json' }),
    ...credentials,
  }
  const content = isForm ? body : JSON.stringify(body)
  const response = await fetch(endpoint, { method: 'POST', headers, body: content })
  if (response.ok) return
  // Redacted before it is cut: half of a secret could not be found.
  const secrets = [
    Object.values(credentials).map((value) => value.replace(/^\w+ /, '')),
    apiKey,
    mail.to,
    mail.url,
    contained,
  ]
  const answer = redactSecrets(await response.text(), secrets).slice(0, MAX_ERROR_LENGTH)
  throw new EmailSignInError(
    `${service.name} did not accept the mail (status ${response.status}): ${answer}`,
  )
}

async function deliverSignIn(service: MailService, request: VerificationRequest): Promise<void> {
  const { identifier, url, code, token, provider, fetch = globalThis.fetch } = request
  await deliver(service, {
    to: oneMailbox(identifier),
    url,
    code,
    hasLink: hasLink(request),
    host: new URL(url).hostname,
    provider,
    fetch,
    secrets: [identifier, token, code],
    ...signInMail(request),
  })
}

async function deliverMail(service: MailService, request: ProviderMail): Promise<void> {
  const { to, url = '', ...mail } = request
  const secrets = [mail.text, mail.html]
  await deliver(service, { ...mail, to: oneMailbox(to), url, hasLink: url !== '', secrets })
}

/** A provider of type `email` that sends through a mail service. */
export function mailService(service: MailService, options: EmailUserConfig): EmailConfig {
  const { id, name, isTemplate } = service
  const own = options.sendVerificationRequest !== undefined
  // Empty until the environment or the options set it, so that `doctor` can report that it is missing.
  const apiKey = own ? undefined : ''
  // An application that sends its sign-in mails itself need not have a key.
  const sendsMails = !isTemplate && (!own || options.apiKey !== undefined)
  return {
    id,
    name,
    isUnnamed: !options.name,
    type: 'email',
    apiKey,
    sendVerificationRequest: (request) => deliverSignIn(service, request),
    ...(sendsMails && { sendMail: (mail) => deliverMail(service, mail) }),
    options,
  }
}
