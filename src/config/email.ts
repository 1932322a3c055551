import type { Awaitable, Fetch, Hook } from '../types.ts'
import type { CommonProviderOptions } from './provider.ts'
import type { Theme } from './types.ts'

/** Id of an `email` provider. */
export type EmailProviderId = string
/** The {@link ProviderType} of providers that send magic links. */
export type EmailProviderType = 'email'

/** Parameters of `sendVerificationRequest`. */
export interface VerificationRequest {
  /** Address of the recipient. */
  identifier: string
  /** The magic link. Opening it signs in the user, so keep it out of logs. */
  url: string
  /** Expiry of the link. */
  expires: Date
  /** The provider, with the options of the application merged in. */
  provider: EmailConfig
  /** The secret part of `url`. */
  token: string
  theme: Theme
  /** The request that asked for the link. */
  request: Request
  /** `fetch` for requests to a mail service: https only, with limits on time and size. Always set. */
  fetch?: Fetch | undefined
}

/** A provider of type `email`: signs users in with a magic link. */
export interface EmailConfig extends CommonProviderOptions {
  type: 'email'
  /** Address of the sender. */
  from?: string | undefined
  /** Lifetime of a link in seconds. @default 86400 (1 day) */
  maxAge?: number | undefined
  /** Secret for the stored hash of a link. @default {@link AuthConfig.secret} */
  secret?: string | undefined
  /** API key of a mail service. */
  apiKey?: string | undefined
  /** Mail server, in the format of the provider module. */
  server?: unknown
  /** Sends the link. An error or a rejected promise means that no mail was sent. */
  sendVerificationRequest?: Hook<[params: VerificationRequest], Awaitable<void>>
  /** Generates the secret part of a link: at least 128 random bits. @default 32 random bytes */
  generateVerificationToken?: Hook<[], Awaitable<string>>
  /**
   * Normalizes an address, or throws an `Error` to reject it. A comma, a quote or a second `@` can send the mail to
   * another recipient. A `TypeError`, `ReferenceError`, `RangeError` or `SyntaxError` is a bug: a server error.
   * @default trims, lower-cases, and rejects all but plain addresses (RFC 5321 §4.1.2)
   */
  normalizeIdentifier?: Hook<[identifier: string], string>
  /** Options of the application, deep-merged over the provider. */
  options?: EmailUserConfig | undefined
}

/** Options that an application may set on an `email` provider. */
export interface EmailUserConfig extends Partial<Omit<EmailConfig, 'options' | 'type'>> {}
