/** A provider that sends a link by e-mail. */
import type { Awaitable, Hook } from '../types.ts'
import type { CommonProviderOptions } from './provider.ts'
import type { Theme } from './types.ts'

/** What is known of a link when it is sent. */
export interface VerificationRequest {
  /** The address it goes to. */
  identifier: string
  /** What signs in whoever follows it: keep it out of logs. */
  url: string
  /** When the link stops working. */
  expires: Date
  /** The provider, with what the application set merged in. */
  provider: EmailConfig
  /** The part of `url` that is secret. */
  token: string
  theme: Theme
  /** The request that asked for the link. */
  request: Request
}

/** A provider of type `email`: whoever can read what is sent to an address is let in. */
export interface EmailConfig extends CommonProviderOptions {
  type: 'email'
  /** Address of the sender. */
  from?: string | undefined
  /** Seconds a link works. @default 86400 (1 day) */
  maxAge?: number | undefined
  /** Hashes what is stored of a link. @default {@link AuthConfig.secret} */
  secret?: string | undefined
  /** Key of a service that sends mail. */
  apiKey?: string | undefined
  /** Of whoever sends the mail, as its module says. */
  server?: unknown
  /** Sends the link. What it throws, or a promise that rejects, means that nothing was sent. */
  sendVerificationRequest?: Hook<[params: VerificationRequest], Awaitable<void>>
  /** Makes the secret part of a link: at least 128 bits nobody can guess. @default 32 random bytes */
  generateVerificationToken?: Hook<[], Awaitable<string>>
  /**
   * Gives an address the one spelling by which it is known, and throws for what is none. A comma, a quote or a
   * second `@` can make a mail go to somebody else.
   *
   * To refuse an address, throw an `Error`: the log has one line about it. A `TypeError`, `ReferenceError`,
   * `RangeError` or `SyntaxError` refuses it, too, and is logged as a warning with its stack.
   *
   * @default trims, lower-cases, and refuses all but plain addresses (RFC 5321 §4.1.2)
   */
  normalizeIdentifier?: Hook<[identifier: string], string>
  /** What the application set; deep-merged over the rest. */
  options?: EmailUserConfig | undefined
}

/** What an application may set on an `email` provider. */
export interface EmailUserConfig extends Partial<Omit<EmailConfig, 'options' | 'type'>> {}
