/** A site that sends magic links, with the sent mails and the recorded adapter calls. */
import MemoryAdapter from '../src/adapters/memory.ts'
import type { Adapter } from '../src/adapters/index.ts'
import type { EmailConfig, VerificationRequest } from '../src/core/config/email.ts'
import type { AuthConfig } from '../src/index.ts'
import type { Browser } from '../src/testing/index.ts'
import { SECRET, silentLog } from './config.ts'
import type { Log } from './config.ts'

export const ADA = 'ada@example.com'
export const CALLBACK = 'https://app.test/auth/callback/email'
export const SENT = 'https://app.test/auth/verify-request?provider=email&type=email'
export const FAILED = 'https://app.test/auth/error?error=TemporarilyUnavailable'
export const SPENT = 'https://app.test/auth/error?error=Verification'

/** One call of the adapter. */
export interface AdapterCall {
  readonly method: string
  readonly args: readonly unknown[]
}

export interface MailSite {
  readonly config: AuthConfig
  readonly log: Log
  /** Sent mails, oldest first. */
  readonly mails: VerificationRequest[]
  readonly adapter: Required<Adapter>
  /** Calls of the adapter, oldest first. */
  readonly calls: AdapterCall[]
}

/** Options of a site. */
export interface MailSiteOptions {
  readonly provider?: Partial<EmailConfig>
  /** Methods that replace those of the adapter; `undefined` removes one. */
  readonly methods?: Partial<Record<keyof Adapter, unknown>>
  /** The adapter. @default a new memory adapter */
  readonly adapter?: Required<Adapter>
}

/** The adapter with every call recorded. */
function recorded(adapter: Required<Adapter>, methods: object, calls: AdapterCall[]): Adapter {
  const all = Object.entries({ ...adapter, ...methods })
  return Object.fromEntries(
    all.map(([method, run]) => {
      if (typeof run !== 'function') return [method, run]
      const call = (...args: unknown[]): unknown => {
        calls.push({ method, args })
        return Reflect.apply(run, undefined, args)
      }
      return [method, call]
    }),
  )
}

/** A site with one e-mail provider. */
export function mailSite(
  overrides: Partial<AuthConfig> = {},
  { provider, methods = {}, adapter = MemoryAdapter() }: MailSiteOptions = {},
): MailSite {
  const { log, logger } = silentLog()
  const mails: VerificationRequest[] = []
  const calls: AdapterCall[] = []
  const config: AuthConfig = {
    providers: [mailProvider(mails, provider)],
    adapter: recorded(adapter, methods, calls),
    secret: SECRET,
    trustHost: true,
    logger,
    // The records of limits are calls of the adapter.
    protection: 'off',
    ...overrides,
  }
  return { config, log, mails, adapter, calls }
}

/** An e-mail provider that appends its mails to an array. */
export function mailProvider(
  mails: VerificationRequest[],
  overrides: Partial<EmailConfig> = {},
): EmailConfig {
  return {
    id: 'email',
    name: 'E-mail',
    type: 'email',
    sendVerificationRequest: (request) => void mails.push(request),
    ...overrides,
  }
}

/** Submits an address on the sign-in form. */
export function submitAddress(
  tab: Browser,
  email: string = ADA,
  fields: Record<string, string> = {},
): Promise<Response> {
  return tab.post('signin/email', { email, ...fields })
}

/** The magic link in the last mail. */
export function linkIn(mails: readonly VerificationRequest[]): string {
  const url = mails.at(-1)?.url
  if (url === undefined) throw new Error('No mail was sent.')
  return url
}

/** Requests a magic link and returns it. */
export async function requestLink(
  tab: Browser,
  { mails }: Pick<MailSite, 'mails'>,
  email: string = ADA,
): Promise<string> {
  const before = mails.length
  const response = await submitAddress(tab, email)
  if (mails.length === before) throw new Error(`signin/email answered with ${response.status}.`)
  return linkIn(mails)
}

/** The page of an address that a code was sent to, after a rejected code. */
export const WRONG =
  'https://app.test/auth/verify-request?provider=email&type=email&error=Verification&code=invalid_code'

/** Requests a mail with a code, and returns the code. */
export async function requestCode(
  tab: Browser,
  { mails }: Pick<MailSite, 'mails'>,
  email: string = ADA,
): Promise<string> {
  const before = mails.length
  const response = await submitAddress(tab, email)
  const code = mails.at(-1)?.code
  if (mails.length === before || code === undefined)
    throw new Error(`signin/email answered with ${response.status} and sent no code.`)
  return code
}

/** Submits a code on the page that asks for it. */
export function enterCode(
  tab: Browser,
  code: string,
  fields: Record<string, string> = {},
): Promise<Response> {
  return tab.post('callback/email', { code, ...fields })
}

/** Another code with as many digits. */
export function wrongCode(code: string, by: number = 1): string {
  return String((Number(code) + by) % 10 ** code.length).padStart(code.length, '0')
}

/** The link with changed parameters. */
export function withParameters(link: string, parameters: Record<string, string | null>): string {
  const url = new URL(link)
  for (const [name, value] of Object.entries(parameters))
    if (value === null) url.searchParams.delete(name)
    else url.searchParams.set(name, value)
  return url.href
}

/** Opens a link from a mail client (a cross-site navigation). */
export function click(tab: Browser, link: string): Promise<Response> {
  return tab.request(link, { initiator: 'cross-site' })
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

/** The values of the hidden fields of a page. */
export function hiddenFields(html: string): Record<string, string> {
  const fields = html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)
  return Object.fromEntries(
    [...fields].map(([, name = '', value = '']) => [
      name,
      value.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity),
    ]),
  )
}

/** Submits the confirmation page. */
export async function confirm(tab: Browser, page: Response): Promise<Response> {
  const html = await page.text()
  const [, action = ''] = /<form action="([^"]*)"/.exec(html) ?? []
  if (page.status !== 200 || !action) throw new Error(`Not a confirmation page: ${page.status}.`)
  return tab.request(action, { method: 'POST', form: hiddenFields(html) })
}

/** Opens a magic link, and confirms it if this browser did not request it. */
export async function followLink(tab: Browser, link: string): Promise<Response> {
  const response = await click(tab, link)
  return response.status === 200 ? confirm(tab, response) : response
}

/** Names of the called methods that write. */
export function writes({ calls }: Pick<MailSite, 'calls'>): string[] {
  return calls.map(({ method }) => method).filter((method) => !method.startsWith('get'))
}

/** How often a method was called. */
export function countOf({ calls }: Pick<MailSite, 'calls'>, method: keyof Adapter): number {
  return calls.filter((call) => call.method === method).length
}

/** The Location header of a response. */
export function locationOf({ headers }: Response): string | null {
  return headers.get('location')
}

/** The session strategies. */
export const STRATEGIES: ('jwt' | 'database')[] = ['jwt', 'database']
