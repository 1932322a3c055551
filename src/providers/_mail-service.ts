import type { EmailConfig, EmailUserConfig, VerificationRequest } from '../core/config/email.ts'
import { EmailSignInError, InvalidConfiguration } from '../core/errors/classes.ts'
import { redactSecrets } from '../core/log/redact-error.ts'
import { providerNames } from '../core/config/variables.ts'
import { hasLink, oneMailbox, signInMail } from './_mail.ts'
import type { Mail } from './_mail.ts'

/** A mail, and the settings of the request that sends it. */
export interface Delivery extends Mail {
  readonly from: string
  readonly to: string
  /** The magic link. */
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

async function deliver(service: MailService, request: VerificationRequest): Promise<void> {
  const { identifier, url, code, provider, fetch = globalThis.fetch } = request
  const to = oneMailbox(identifier)
  const from = provider.from ?? `no-reply@${new URL(url).hostname}`
  const apiKey = requireKey(provider)
  const contents = { url, code, hasLink: hasLink(request) }
  const delivery = { from, to, apiKey, ...contents, ...signInMail(request) }
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
    identifier,
    url,
    request.token,
    code,
  ]
  const answer = redactSecrets(await response.text(), secrets).slice(0, MAX_ERROR_LENGTH)
  throw new EmailSignInError(
    `${service.name} did not accept the mail (status ${response.status}): ${answer}`,
  )
}

/** A provider of type `email` that sends through a mail service. */
export function mailService(service: MailService, options: EmailUserConfig): EmailConfig {
  const { id, name } = service
  const sendVerificationRequest = (request: VerificationRequest) => deliver(service, request)
  // Empty until the environment or the options set it, so that `doctor` can report that it is missing.
  const apiKey = options.sendVerificationRequest ? undefined : ''
  const isUnnamed = !options.name
  return { id, name, isUnnamed, type: 'email', apiKey, sendVerificationRequest, options }
}
