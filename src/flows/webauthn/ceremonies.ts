import type { Context, Reply } from '../../contracts.ts'
import type { PasskeyProvider } from './provider.ts'

export { showOptions } from './options.ts'

/** The ceremonies of WebAuthn, as the provider modules load them. */
export interface Ceremonies {
  showOptions(ctx: Context, provider: PasskeyProvider): Promise<Reply>
}
