import type { Context, Evidence, Reply } from '../../contracts.ts'
import { authenticate } from './authenticate.ts'
import type { PasskeyProvider } from './provider.ts'
import { register } from './register.ts'
import { parseResponse } from './response.ts'

export { showOptions } from './options.ts'

export async function pageScript(): Promise<string> {
  const { passkeyScript } = await import('../../pages/passkey-script.ts')
  return passkeyScript
}

/** The ceremonies of WebAuthn, as the provider modules load them. */
export interface Ceremonies {
  showOptions(ctx: Context, provider: PasskeyProvider): Promise<Reply>
  complete(ctx: Context, provider: PasskeyProvider): Promise<Evidence>
  /** The script that runs the ceremonies on the sign-in page. */
  pageScript(): Promise<string>
}

export async function complete(ctx: Context, provider: PasskeyProvider): Promise<Evidence> {
  const response = parseResponse(ctx)
  return (response.ceremony === 'register' ? register : authenticate)(ctx, provider, response)
}
