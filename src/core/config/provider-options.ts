import type { ProviderType } from '../types.ts'

/** Options of every provider. */
export interface CommonProviderOptions {
  /** Identifies the provider in URLs, accounts and environment variables. */
  id: string
  /** Display name. */
  name: string
  type: ProviderType
  /** What to use instead of a deprecated provider, as a sentence; logged once as the warning `provider-deprecated`. */
  deprecated?: string | undefined
}
