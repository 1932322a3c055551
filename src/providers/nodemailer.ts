import type * as Package from 'nodemailer'
import type { EmailConfig, EmailUserConfig, VerificationRequest } from '../config/email.ts'
import { InvalidConfiguration } from '../errors/configuration.ts'
import { EmailSignInError } from '../errors/sign-in.ts'
import { oneMailbox, signInMail } from './_mail.ts'
import type { Mail } from './_mail.ts'

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

interface Transporter {
  sendMail(mail: Mail & Envelope): Promise<Outcome>
  close(): void
}

interface Envelope {
  readonly from: string
  readonly to: { readonly name: string; readonly address: string }
}

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

function serverOf({ id, server }: Pick<EmailConfig, 'id' | 'server'>): Server {
  if (isServer(server)) return server
  // The message does not contain the value, which may include a password.
  throw new InvalidConfiguration(
    `Provider ${id} has no usable server. Set server to a URL such as smtps://user:password@smtp.example.com, or to options of nodemailer.`,
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

async function load(): Promise<typeof Package> {
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

/** A transporter, and whether the application owns it; otherwise it is closed after use. */
interface Opened {
  readonly sender: Transporter
  readonly isTheirs: boolean
}

async function open(server: Server): Promise<Opened> {
  if (typeof server === 'object' && isTransporter(server)) return { sender: server, isTheirs: true }
  const { createTransport } = await load()
  if (typeof server === 'string')
    return { sender: createTransport(limitedUrl(server)), isTheirs: false }
  if (isTransport(server)) return { sender: createTransport(server), isTheirs: true }
  return { sender: createTransport(limitedOptions(server)), isTheirs: false }
}

async function send({ identifier, url, theme, provider }: VerificationRequest): Promise<void> {
  const address = oneMailbox(identifier)
  const from = provider.from ?? `no-reply@${new URL(url).hostname}`
  const { sender, isTheirs } = await open(serverOf(provider))
  try {
    // As an object: Nodemailer would search a string for more addresses.
    const to = { name: '', address }
    const { rejected, pending } = await sender.sendMail({ from, to, ...signInMail({ url, theme }) })
    if (rejected?.length || pending?.length)
      throw new EmailSignInError('The mail server rejected the recipient.')
  } finally {
    if (!isTheirs) sender.close()
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
  serverOf({ id: 'nodemailer', ...options })
  return {
    id: 'nodemailer',
    name: 'Nodemailer',
    type: 'email',
    sendVerificationRequest: send,
    options,
  }
}
