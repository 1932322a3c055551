import type * as Package from 'nodemailer'
import type { EmailConfig, EmailUserConfig, VerificationRequest } from '../config/email.ts'
import { InvalidConfiguration } from '../errors/configuration.ts'
import { EmailSignInError } from '../errors/sign-in.ts'
import { oneMailbox, signInMail } from './_mail.ts'

export type { EmailConfig, EmailConfig as NodemailerConfig } from '../config/email.ts'

/** Options of the Nodemailer provider. */
export interface NodemailerUserConfig extends EmailUserConfig {
  /**
   * Required. The mail server: its URL, or another argument or result of `createTransport` of `nodemailer`. A
   * transporter that you pass stays open after each mail, so pass one to use a pool.
   */
  server?: string | object | undefined
  /** Sender address. @default no-reply@ and the host of the link */
  from?: string | undefined
}

type Server = string | object

type Transporter = Pick<Package.Transporter<Outcome>, 'sendMail' | 'close'>

interface Outcome {
  readonly rejected?: readonly unknown[]
  readonly pending?: readonly unknown[]
}

/**
 * Milliseconds. Nodemailer waits for minutes by default. These are shorter than the ten seconds for sending a mail, so
 * that the log contains the error of the mail server instead of a timeout.
 */
const TIMEOUTS = {
  dnsTimeout: 8_000,
  connectionTimeout: 8_000,
  greetingTimeout: 8_000,
  socketTimeout: 8_000,
} as const

const has = (server: object, method: string): boolean =>
  typeof Reflect.get(server, method) === 'function'

const isTransporter = (server: object): server is Transporter => has(server, 'sendMail')
const isTransport = (server: object): server is Package.Transport<Outcome> => has(server, 'send')

const isUrl = (server: unknown): server is string =>
  typeof server === 'string' && /^smtps?:/i.test(server) && URL.canParse(server)

const isServer = (server: unknown): server is Server =>
  isUrl(server) || (typeof server === 'object' && server !== null)

function requireServer({ id, server }: Pick<EmailConfig, 'id' | 'server'>): Server {
  if (isServer(server)) return server
  // The message does not contain the value, which may include a password.
  throw new InvalidConfiguration(
    `Provider ${id} has no valid server. Set server to a URL such as smtps://user:password@smtp.example.com, or to options of nodemailer.`,
  )
}

function limitedUrl(server: string): string {
  const url = new URL(server)
  for (const [name, limit] of Object.entries(TIMEOUTS))
    if (!url.searchParams.has(name)) url.searchParams.set(name, String(limit))
  return url.href
}

function limitedOptions(server: object): object {
  const url: unknown = Reflect.get(server, 'url')
  return { ...TIMEOUTS, ...server, ...(isUrl(url) && { url: limitedUrl(url) }) }
}

async function loadNodemailer(): Promise<typeof Package> {
  try {
    // Next.js replaces NEXT_RUNTIME in bundles, which removes the import from the edge runtime.
    if (process.env['NEXT_RUNTIME'] !== 'edge') return await import('nodemailer')
  } catch (cause) {
    throw new InvalidConfiguration(
      'The package nodemailer cannot be loaded. Install it: npm install nodemailer.',
      { cause },
    )
  }
  throw new InvalidConfiguration(
    'Nodemailer requires Node.js and cannot run on the edge runtime. Set runtime to nodejs, or use a mail service with an HTTP API.',
  )
}

/** Returns a transporter; one that the application owns is not closed after use. */
async function openTransporter(
  server: Server,
): Promise<{ readonly transporter: Transporter; readonly isShared: boolean }> {
  const isObject = typeof server === 'object'
  if (isObject && isTransporter(server)) return { transporter: server, isShared: true }
  const { createTransport } = await loadNodemailer()
  if (isObject && isTransport(server))
    return { transporter: createTransport(server), isShared: true }
  const options = isObject ? limitedOptions(server) : limitedUrl(server)
  return { transporter: createTransport(options), isShared: false }
}

async function sendMagicLink({
  identifier,
  url,
  theme,
  provider,
}: VerificationRequest): Promise<void> {
  const address = oneMailbox(identifier)
  const from = provider.from ?? `no-reply@${new URL(url).hostname}`
  const { transporter, isShared } = await openTransporter(requireServer(provider))
  try {
    // As an object: Nodemailer would search a string for more addresses.
    const to = { name: '', address }
    const mail = { from, to, ...signInMail({ url, theme }) }
    const { rejected, pending } = await transporter.sendMail(mail)
    if (rejected?.length) throw new EmailSignInError('The mail server rejected the recipient.')
    if (pending?.length)
      throw new EmailSignInError(
        'The mail server has a temporary failure and did not accept the recipient yet.',
      )
  } finally {
    if (!isShared) transporter.close()
  }
}

/**
 * Magic links, sent with the peer dependency `nodemailer`. Requires an adapter.
 *
 * @throws InvalidConfiguration if `server` is missing or invalid
 * @see https://nodemailer.com/smtp
 * @example
 * ```ts
 * import Nodemailer from 'lib-auth/providers/nodemailer'
 *
 * export const providers = [
 *   Nodemailer({ server: process.env.EMAIL_SERVER, from: 'Example <no-reply@example.com>' }),
 * ]
 * ```
 */
export default function Nodemailer(options: NodemailerUserConfig = {}): EmailConfig {
  requireServer({ id: 'nodemailer', ...options })
  return {
    id: 'nodemailer',
    name: 'Nodemailer',
    type: 'email',
    sendVerificationRequest: sendMagicLink,
    options,
  }
}
