/** Options of {@link signalRemoved}. */
export interface SignalRemovedOptions {
  /** RP ID of the passkey: `relayingParty.id` of the provider. @default the host name of the page */
  rpId?: string
}

/**
 * Tells the browser that a passkey was removed, so that password managers no longer offer it. Does nothing in a browser
 * that lacks this. Never rejects: the console has the reason of a failure.
 *
 * @param credentialID of the passkey that `passkeys.remove` has removed
 * @see https://www.w3.org/TR/webauthn-3/#sctn-signal-methods
 */
export async function signalRemoved(
  credentialID: string,
  { rpId = location.hostname }: SignalRemovedOptions = {},
): Promise<void> {
  // From the base64 of adapters to base64url.
  const credentialId = credentialID.replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '')
  try {
    await globalThis.PublicKeyCredential?.signalUnknownCredential?.({ rpId, credentialId })
  } catch (error) {
    console.error(error)
  }
}
