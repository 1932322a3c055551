import type * as Package from 'nodemailer'
import type {
  EmailConfig,
  EmailUserConfig,
  ProviderMail,
  VerificationRequest,
} from '../core/config/email.ts'
import { EmailSignInError, InvalidConfiguration } from '../core/errors/classes.ts'
import { oneMailbox, senderOf, signInMail } from './_mail.ts'
import type { Mail } from './_mail.ts'

export type { EmailConfig, EmailConfig as NodemailerConfig } from '../core/config/email.ts'

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

interface Outcome {
  readonly rejected?: readonly unknown[]
  readonly pending?: readonly unknown[]
}

type Transporter = Pick<Package.Transporter<Outcome>, 'sendMail' | 'close'>

/** Milliseconds; shorter than the timeout for sending a mail, so that the log contains the error of the server. */
const TIMEOUT = 8_000
const TIMEOUTS = ['dnsTimeout', 'connectionTimeout', 'greetingTimeout', 'socketTimeout']

function isTransporter(server: object): server is Transporter {
  return 'sendMail' in server && typeof server.sendMail === 'function'
}

function isTransport(server: object): server is Package.Transport<Outcome> {
  return 'send' in server && typeof server.send === 'function'
}

function isUrl(server: unknown): server is string {
  return typeof server === 'string' && /^smtps?:/i.test(server) && URL.canParse(server)
}

/** The argument of `createTransport`; a URL as an object. */
function requireServer({ id, server }: Pick<EmailConfig, 'id' | 'server'>): object {
  if (isUrl(server)) return { url: server }
  if (typeof server === 'object' && server !== null) return server
  // The message does not contain the value, which may include a password.
  throw new InvalidConfiguration(
    `Provider ${id} has no valid server. Set server to a URL such as smtps://user:password@smtp.example.com, or to options of nodemailer.`,
  )
}

/** Nodemailer ignores options next to a URL, so the timeouts are added to its query. */
function withTimeouts(server: object): object {
  const timeouts = Object.fromEntries(TIMEOUTS.map((name) => [name, TIMEOUT]))
  const url = 'url' in server && server.url
  if (!isUrl(url)) return { ...timeouts, ...server }
  const limited = new URL(url)
  for (const name of TIMEOUTS)
    if (!limited.searchParams.has(name)) limited.searchParams.set(name, String(TIMEOUT))
  return { ...timeouts, ...server, url: limited.href }
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

/** Opens a transporter; one that the application owns is shared, and not closed after use. */
async function openTransporter(server: object): Promise<[Transporter, 'shared' | 'own']> {
  if (isTransporter(server)) return [server, 'shared']
  const { createTransport } = await loadNodemailer()
  if (isTransport(server)) return [createTransport(server), 'shared']
  return [createTransport(withTimeouts(server)), 'own']
}

interface Outgoing extends Mail {
  readonly recipient: string
  /** Host of the site. */
  readonly host: string | undefined
  readonly provider: EmailConfig
}

async function deliver({ recipient, host, provider, ...content }: Outgoing): Promise<void> {
  const address = oneMailbox(recipient)
  const from = senderOf(provider, host)
  const [transporter, owner] = await openTransporter(requireServer(provider))
  try {
    // As an object: Nodemailer would search a string for more addresses.
    const to = { name: '', address }
    const { rejected, pending } = await transporter.sendMail({ from, to, ...content })
    if (rejected?.length) throw new EmailSignInError('The mail server rejected the recipient.')
    if (pending?.length)
      throw new EmailSignInError(
        'The mail server has a temporary failure and did not accept the recipient yet.',
      )
  } finally {
    if (owner === 'own') transporter.close()
  }
}

function sendSignInMail(request: VerificationRequest): Promise<void> {
  const { identifier: recipient, url, provider } = request
  return deliver({ recipient, host: new URL(url).hostname, provider, ...signInMail(request) })
}

function sendMail({ to, host, provider, subject, text, html }: ProviderMail): Promise<void> {
  return deliver({ recipient: to, host, provider, subject, text, html })
}

/**
 * Magic links and codes (`method`), sent with the peer dependency `nodemailer`. Requires an adapter.
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
    isUnnamed: !options.name,
    type: 'email',
    sendVerificationRequest: sendSignInMail,
    sendMail,
    options,
  }
}
