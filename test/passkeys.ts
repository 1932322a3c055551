/** Passkeys of a signed-in user, as they are stored after a registration. */
import type { Adapter, AdapterAuthenticator } from '../src/adapters/index.ts'
import type { AuthConfig } from '../src/index.ts'
import { listPasskeys, removePasskey, renamePasskey } from '../src/passkeys.ts'
import Passkey from '../src/providers/passkey.ts'
import { issuer } from '../src/testing/index.ts'
import type { Browser } from '../src/testing/index.ts'
import { ADA, signedIn } from './database.ts'
import type { DatabaseSite, DatabaseSiteOptions } from './database.ts'
import { cookieValue, SESSION } from './sessions.ts'

/** A passkey with a new id. */
function newPasskey(
  userId: string,
  fields: Partial<AdapterAuthenticator> = {},
): AdapterAuthenticator {
  const credentialID = Buffer.from(crypto.randomUUID()).toString('base64')
  return {
    userId,
    credentialID,
    providerAccountId: credentialID,
    credentialPublicKey: 'pQECAyYgASFYIA==',
    counter: 3,
    credentialDeviceType: 'multiDevice',
    credentialBackedUp: true,
    transports: 'internal,hybrid',
    ...fields,
  }
}

/** Adds the provider of the passkeys. */
export function withPasskeys(config: AuthConfig): AuthConfig {
  const providers = [...(config.providers ?? []), Passkey()]
  return { ...config, providers, experimental: { enableWebAuthn: true } }
}

/** Stores a passkey and its account, and returns the id of the passkey. */
export async function addPasskey(
  adapter: Adapter,
  userId: string,
  fields: Partial<AdapterAuthenticator> = {},
): Promise<string> {
  const passkey = newPasskey(userId, fields)
  const { credentialID: id } = passkey
  await adapter.linkAccount?.({
    provider: 'passkey',
    providerAccountId: passkey.providerAccountId,
    type: 'webauthn',
    userId,
  })
  await adapter.createAuthenticator?.(passkey)
  return id
}

/** The id of the user with this address. */
export async function userIdOf(adapter: Adapter, email: string = ADA.email): Promise<string> {
  const user = await adapter.getUserByEmail?.(email)
  if (!user) throw new Error(`No user has the address ${email}.`)
  return user.id
}

/** The ids of the stored passkeys of a user. */
export async function storedIds(adapter: Adapter, userId: string): Promise<string[]> {
  const stored = (await adapter.listAuthenticatorsByUserId?.(userId)) ?? []
  return stored.map(({ credentialID }) => credentialID).sort()
}

/** The headers of a request of the browser. */
export function headersOf(tab: Browser, more: Record<string, string> = {}): Headers {
  const cookie = `${SESSION}=${cookieValue(tab)}`
  return new Headers({ cookie, host: 'app.test', 'x-forwarded-proto': 'https', ...more })
}

const op = await issuer({ algorithm: 'ES256' })

/** A site on which Ada is signed in, and the functions for her session. */
export interface PasskeySite extends DatabaseSite {
  readonly userId: string
  readonly list: () => Promise<unknown>
  readonly rename: (id: string, name: string) => Promise<unknown>
  readonly remove: (id: string, last?: 'allow' | 'refuse') => Promise<unknown>
}

async function siteOf(site: DatabaseSite, config: AuthConfig): Promise<PasskeySite> {
  const { tab, stored } = site
  return {
    ...site,
    config,
    userId: await userIdOf(stored),
    list: async () => (await listPasskeys(headersOf(tab), config)).value,
    rename: async (id, name) => (await renamePasskey(headersOf(tab), config, id, name)).value,
    remove: async (id, last) =>
      (await removePasskey(headersOf(tab), config, id, last && { last })).value,
  }
}

/** Signs Ada in on a new site, without a passkey provider. */
export async function passkeySite(options: DatabaseSiteOptions = {}): Promise<PasskeySite> {
  const site = await signedIn(op, options)
  return siteOf(site, site.config)
}

/** Signs Ada in on a new site with a passkey provider, and unlinks the account with which she has signed in. */
export async function siteWithoutOtherMethods(
  options: DatabaseSiteOptions = {},
): Promise<PasskeySite> {
  const opened = await signedIn(op, options)
  const site = await siteOf(opened, withPasskeys(opened.config))
  for (const account of (await site.stored.listAccounts?.(site.userId)) ?? [])
    await site.stored.unlinkAccount?.(account)
  return site
}

/** Creates another user, and returns the id. */
export async function strangerOf({ stored }: PasskeySite): Promise<string> {
  const user = { id: 'eve', email: 'eve@example.com', emailVerified: null }
  return (await stored.createUser?.(user))?.id ?? ''
}
