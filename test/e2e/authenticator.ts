/** Chromium's virtual authenticator (https://www.w3.org/TR/webauthn-3/#sctn-automation). */
import type { Page } from 'playwright-core'

/** A credential of the virtual authenticator. */
export interface StoredCredential {
  readonly credentialId: string
  readonly isResidentCredential: boolean
  readonly privateKey: string
  readonly signCount: number
  readonly rpId?: string
  readonly userHandle?: string
}

/** An authenticator that is connected to one page. */
export interface Authenticator {
  readonly credentials: () => Promise<StoredCredential[]>
  readonly add: (credential: StoredCredential) => Promise<void>
  readonly remove: (credentialId: string) => Promise<void>
  /** Whether the user passes the user verification, such as a fingerprint. */
  readonly verifyUser: (passes: boolean) => Promise<void>
  /** Whether the user confirms requests. */
  readonly confirm: (confirms: boolean) => Promise<void>
  readonly disconnect: () => Promise<void>
}

/** A platform authenticator with synced passkeys, whose user confirms every request. */
const PLATFORM = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
  defaultBackupEligibility: true,
  defaultBackupState: true,
} as const

/** Connects an authenticator to a page. */
export async function connectAuthenticator(
  page: Page,
  options: Partial<Record<keyof typeof PLATFORM, unknown>> = {},
): Promise<Authenticator> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...PLATFORM, ...options } as typeof PLATFORM,
  })
  return {
    async credentials() {
      const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId })
      return credentials
    },
    async add(credential) {
      await devtools.send('WebAuthn.addCredential', { authenticatorId, credential })
    },
    async remove(credentialId) {
      await devtools.send('WebAuthn.removeCredential', { authenticatorId, credentialId })
    },
    async verifyUser(isUserVerified) {
      await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
    async confirm(enabled) {
      await devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
    },
    async disconnect() {
      await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
    },
  }
}
