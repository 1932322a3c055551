import type { Awaitable, Fetch, Hook } from '../types.ts'
import type { CommonProviderOptions } from './provider-options.ts'
import type { Theme } from '../pages/theme.ts'

/** Id of an `email` provider. */
export type EmailProviderId = string
/** The {@link ProviderType} of providers that send magic links and codes. */
export type EmailProviderType = 'email'

/** What a mail contains: a magic link, a code to enter in the browser that requested it, or both. */
export type EmailMethod = 'link' | 'code' | 'both'

/** Parameters of `sendVerificationRequest`. */
export interface VerificationRequest {
  /** Address of the recipient. */
  identifier: string
  /**
   * The magic link. Opening it signs in the user, so keep it out of logs. Without a link in the mail (`method: 'code'`),
   * it contains the code, and works only in the browser that requested it.
   */
  url: string
  /** The code to send, with `method: 'code'` or `'both'`: six digits. Keep it out of logs. */
  code?: string | undefined
  /** Expiry of the link and the code. */
  expires: Date
  /** The provider, with the options of the application merged in. */
  provider: EmailConfig
  /** The secret part of `url`. */
  token: string
  theme: Theme
  /** The request that asked for the mail, without passwords and the fields of credentials providers. */
  request: Request
  /** `fetch` for requests to a mail service: https only, with limits on time and size. Always set. */
  fetch?: Fetch | undefined
}

/** A mail that is no sign-in mail: a parameter of `sendMail`. */
export interface ProviderMail {
  /** The only recipient. */
  to: string
  subject: string
  /** The mail as plain text. */
  text: string
  html: string
  /** The link in the mail, which is a secret. */
  url?: string | undefined
  /** Host name of the site; undefined if it is unknown, outside of a request. */
  host: string | undefined
  /** The provider, with the options of the application merged in. */
  provider: EmailConfig
  /** `fetch` for requests to a mail service: https only, with limits on time and size. */
  fetch: Fetch
}

/** A provider of type `email`: signs users in with a magic link or a code. */
export interface EmailConfig extends CommonProviderOptions {
  type: 'email'
  /** Whether `name` is that of a mail service: the sign-in page calls the only provider of this type "e-mail" instead. */
  isUnnamed?: boolean | undefined
  /** Address of the sender. */
  from?: string | undefined
  /**
   * What the mail contains. A code has six digits, expires after 10 minutes, and is valid only in the browser that
   * requested it, for five tries. With `both`, using either invalidates both.
   *
   * @default 'link'
   */
  method?: EmailMethod | undefined
  /** Lifetime in seconds; at most 600 if the mail contains a code. @default 86400 (1 day); 600 with a code */
  maxAge?: number | undefined
  /** Secret for the stored hash of a link or code. @default the option `secret` */
  secret?: string | undefined
  /** API key of a mail service. */
  apiKey?: string | undefined
  /** Mail server, in the format of the provider module. */
  server?: unknown
  /** Sends the link or code. An error or a rejected promise means that no mail was sent. */
  sendVerificationRequest?: Hook<[params: VerificationRequest], Awaitable<void>>
  /**
   * Sends a mail of the option `account` that is no sign-in mail. Set by the providers of
   * this package whose service takes any text.
   */
  sendMail?: Hook<[mail: ProviderMail], Awaitable<void>>
  /**
   * Generates the secret part of a link: at least 128 random bits. A result of less than 64 bits (20 decimal digits, 16
   * hexadecimal digits, 13 digits and letters of one case, 11 of both) is a code, as with `method: 'code'`: at least six
   * random digits or letters.
   *
   * @default 32 random bytes
   */
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
