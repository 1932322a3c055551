/** A site with a passkey provider, and a credentials provider that signs in existing users by their id. */
import type { Adapter, AdapterAuthenticator, AdapterUser } from '../../../../src/adapters/index.ts'
import MemoryAdapter from '../../../../src/adapters/memory.ts'
import type { AuthConfig } from '../../../../src/index.ts'
import Credentials from '../../../../src/providers/credentials.ts'
import Passkey from '../../../../src/providers/passkey.ts'
import type { WebAuthnUserConfig } from '../../../../src/providers/passkey.ts'
import { browser } from '../../../../src/testing/index.ts'
import type { Browser } from '../../../../src/testing/index.ts'
import { createAuthenticator } from './authenticator.ts'
import type { Authenticator, Replaced } from './authenticator.ts'
import { SECRET, silentLog } from '../../../config.ts'
import type { Log } from '../../../config.ts'
import { recordCalls } from '../../../database.ts'
import type { RecordedAdapter } from '../../../database.ts'

/** A W3C credential descriptor in JSON. */
export interface Descriptor {
  readonly id: string
  readonly type: string
  readonly transports?: readonly string[]
}

/** The options of a ceremony as the browser receives them. */
export interface CeremonyOptions {
  readonly challenge: string
  readonly rpId?: string
  readonly rp?: { readonly id: string; readonly name: string }
  readonly user?: { readonly id: string; readonly name: string; readonly displayName: string }
  readonly allowCredentials?: readonly Descriptor[]
  readonly excludeCredentials?: readonly Descriptor[]
  readonly pubKeyCredParams?: readonly { readonly alg: number; readonly type: string }[]
  readonly userVerification?: string
  readonly authenticatorSelection?: Readonly<Record<string, unknown>>
  readonly timeout?: number
}

/** The response of the options route. */
export interface OptionsReply {
  readonly action: 'register' | 'authenticate'
  readonly options: CeremonyOptions
}

/** Options of {@link passkeySite}. */
export interface PasskeySiteOptions {
  readonly adapter?: Adapter
  readonly provider?: WebAuthnUserConfig
  readonly config?: Partial<AuthConfig>
}

/** A site whose users sign in with passkeys. */
export interface PasskeySite extends RecordedAdapter {
  readonly config: AuthConfig
  readonly log: Log
  /** The adapter itself, whose calls are not recorded. */
  readonly stored: Adapter
  readonly open: () => Browser
  readonly tab: Browser
}

/** Opens a site. */
export function passkeySite(options: PasskeySiteOptions = {}): PasskeySite {
  const stored = options.adapter ?? MemoryAdapter()
  const recorded = recordCalls(stored)
  const { log, logger } = silentLog()
  const config: AuthConfig = {
    providers: [
      Passkey(options.provider),
      Credentials({ authorize: async ({ id }) => (await stored.getUser?.(String(id))) ?? null }),
    ],
    adapter: recorded.adapter,
    experimental: { enableWebAuthn: true },
    secret: SECRET,
    trustHost: true,
    logger,
    ...options.config,
  }
  const open = () => browser(config)
  return { ...recorded, config, log, stored, open, tab: open() }
}

/** Stores a user. */
export async function createUser(
  { stored }: Pick<PasskeySite, 'stored'>,
  email: string,
  fields: Partial<AdapterUser> = {},
): Promise<AdapterUser> {
  const row = { id: crypto.randomUUID(), email, emailVerified: null, name: 'Ada', ...fields }
  const user = await stored.createUser?.(row)
  if (!user) throw new Error('The adapter has no createUser.')
  return user
}

/** Signs an existing user in. */
export async function signInAs(tab: Browser, { id }: Pick<AdapterUser, 'id'>): Promise<void> {
  await tab.post('callback/credentials', { id })
  if (!(await tab.session())) throw new Error('The user is not signed in.')
}

/** Requests the options of a ceremony. */
export async function requestOptions(
  tab: Browser,
  query: Readonly<Record<string, string>> = {},
): Promise<OptionsReply> {
  const response = await tab.request(`webauthn-options/passkey?${new URLSearchParams(query)}`)
  if (response.status !== 200)
    throw new Error(`Status ${response.status}: ${await response.text()}`)
  const reply: OptionsReply = await response.json()
  return reply
}

/** The Set-Cookie headers of challenges. */
export function challengeCookies(response: Response): string[] {
  return response.headers.getSetCookie().filter((cookie) => cookie.includes('lib.challenge'))
}

const PASSKEY: Omit<AdapterAuthenticator, 'userId'> = {
  credentialID: 'AAECAwQFBgcICQoLDA0ODw==',
  providerAccountId: 'AAECAwQFBgcICQoLDA0ODw==',
  credentialPublicKey: 'cHVibGljIGtleQ==',
  counter: 0,
  credentialDeviceType: 'multiDevice',
  credentialBackedUp: true,
  transports: 'hybrid,internal',
}

/** Stores a passkey that was registered earlier; its public key is not valid. */
export async function storePasskey(
  { stored }: Pick<PasskeySite, 'stored'>,
  userId: string,
  fields: Partial<AdapterAuthenticator> = {},
): Promise<void> {
  await stored.createAuthenticator?.({ ...PASSKEY, userId, ...fields })
}

/** The fields of the callback. */
export function fieldsOf(
  action: 'register' | 'authenticate',
  credential: unknown,
  more: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return { action, data: JSON.stringify(credential), ...more }
}

/** Registers a passkey: for the signed-in user, or for a new one with `email`. */
export async function register(
  tab: Browser,
  passkey: Authenticator,
  { email, ...replaced }: Replaced & { readonly email?: string } = {},
): Promise<Response> {
  const query = { action: 'register', ...(email !== undefined && { email }) }
  const { options } = await requestOptions(tab, query)
  return tab.post('callback/passkey', fieldsOf('register', passkey.create(options, replaced)))
}

/** Signs in with a passkey; with `email`, its address was typed. */
export async function authenticate(
  tab: Browser,
  passkey: Authenticator,
  { email, ...replaced }: Replaced & { readonly email?: string } = {},
): Promise<Response> {
  const query = { action: 'authenticate', ...(email !== undefined && { email }) }
  const { options } = await requestOptions(tab, query)
  return tab.post('callback/passkey', fieldsOf('authenticate', passkey.get(options, replaced)))
}

/** The path that a response redirects to. */
export function target(response: Response): string {
  const { pathname, search } = new URL(response.headers.get('location') ?? 'https://none.test')
  return `${response.status} ${pathname}${search}`
}

/** The e-mail address of the session. */
export async function signedInAs(tab: Browser): Promise<string | null | undefined> {
  return (await tab.session())?.user?.email
}

/** Where a rejected response leads to. */
export const REJECTED = '302 /auth/error?error=WebAuthnVerificationError'
export const EXPIRED = '302 /auth/signin?error=InvalidCheck'
export const NOT_LINKED = '302 /auth/signin?error=AccountNotLinked'

/** A site with Ada's passkey, and her passkey. */
export async function withPasskey(
  passkey: Authenticator = createAuthenticator(),
  options: PasskeySiteOptions = {},
): Promise<{ site: PasskeySite; passkey: Authenticator }> {
  const site = passkeySite(options)
  const tab = site.open()
  await register(tab, passkey, { email: 'ada@example.com' })
  if (!(await tab.session())) throw new Error('Ada has no passkey.', { cause: site.log.errors[0] })
  return { site, passkey }
}
