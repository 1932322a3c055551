import type * as Package from 'nodemailer'
import type { EmailConfig, EmailUserConfig, VerificationRequest } from '../config/email.ts'
import { InvalidConfiguration } from '../errors/configuration.ts'
import { EmailSignInError } from '../errors/sign-in.ts'
import { oneMailbox, signInMail } from './_mail.ts'
import type { Mail } from './_mail.ts'

/** What an application sets for Nodemailer. */
export interface NodemailerUserConfig extends EmailUserConfig {
  /**
   * The server that sends mail: its URL, or anything else that `createTransport` of `nodemailer` takes or
   * returns. Needed. What `createTransport` returns is left open after a mail; use it for a pool.
   */
  server?: string | object | undefined
  /** Address of the sender. @default no-reply@ and the host of the link */
  from?: string | undefined
}

type Server = string | object

/** What is needed of what `createTransport` returns. */
interface Transporter {
  sendMail(mail: Mail & Envelope): Promise<Outcome>
  close(): void
}

interface Envelope {
  readonly from: string
  readonly to: { readonly name: string; readonly address: string }
}

/** What became of the recipients, where a transport tells. */
interface Outcome {
  readonly rejected?: readonly unknown[]
  readonly pending?: readonly unknown[]
}

/**
 * Milliseconds. Nodemailer waits for minutes by default; a sign-in waits for ten seconds, and this is less, so
 * that what is logged is what the server did not do.
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

/**
 * The server, if it is one.
 *
 * @throws InvalidConfiguration otherwise
 */
function serverOf({ id, server }: Pick<EmailConfig, 'id' | 'server'>): Server {
  if (isServer(server)) return server
  // What was given is not repeated: it may hold a password.
  throw new InvalidConfiguration(
    `Provider ${id} has no usable server. Set server to a URL such as smtps://user:password@smtp.example.com, or to options of nodemailer.`,
  )
}

/** The URL with the limits it does not set itself. */
function limitedUrl(server: string): string {
  const url = new URL(server)
  for (const [name, limit] of Object.entries(TIMEOUTS))
    if (!url.searchParams.has(name)) url.searchParams.set(name, String(limit))
  return url.href
}

/** The options with the limits they do not set themselves. */
function limitedOptions(server: object): object {
  const url: unknown = Reflect.get(server, 'url')
  return { ...TIMEOUTS, ...server, ...(isUrl(url) && { url: limitedUrl(url) }) }
}

async function load(): Promise<typeof Package> {
  try {
    // Next writes the runtime in when it bundles, and leaves the package out where it cannot run.
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

/** What sends mail, and whether the application opened it, which then also closes it. */
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
    // As an object: text would be searched for further addresses.
    const to = { name: '', address }
    const { rejected, pending } = await sender.sendMail({ from, to, ...signInMail({ url, theme }) })
    if (rejected?.length || pending?.length)
      throw new EmailSignInError('The mail server rejected the recipient.')
  } finally {
    if (!isTheirs) sender.close()
  }
}

/**
 * Links by e-mail, sent with the package `nodemailer`, which you install beside this one. Needs an adapter.
 *
 * @throws InvalidConfiguration without `server`
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
