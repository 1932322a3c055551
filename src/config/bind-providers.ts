import type { BoundProvider, ProviderList } from '../contracts.ts'
import type { DatabaseSource } from '../database/database.ts'
import { MissingAdapter } from '../errors/configuration.ts'
import { bindCredentials } from '../flows/credentials/index.ts'
import { bindEmail } from '../flows/email/index.ts'
import { bindOAuth } from '../flows/oauth/index.ts'
import type { OAuthSettings } from '../flows/oauth/provider.ts'
import type { ProviderConfig } from './provider.ts'
import { EMAIL_WITHOUT_ADAPTER } from './validate-adapter.ts'

export interface BindSettings {
  readonly oauth: OAuthSettings
  readonly database: DatabaseSource | undefined
}

/** The only code that branches on the type of a provider. */
function bindProvider(config: ProviderConfig, { oauth, database }: BindSettings): BoundProvider {
  switch (config.type) {
    case 'oauth':
    case 'oidc':
      return bindOAuth(config, oauth)
    case 'credentials':
      return bindCredentials(config)
    case 'email':
      if (database) return bindEmail(config, database)
      throw new MissingAdapter(EMAIL_WITHOUT_ADAPTER)
  }
}

/** Binds each provider on first use, because a configuration may list many. */
export function bindProviders(
  configs: readonly ProviderConfig[],
  settings: BindSettings,
): ProviderList {
  const byId = new Map(configs.map((config) => [config.id, config]))
  const bound = new Map<string, BoundProvider>()
  return {
    ids: [...byId.keys()],
    get(id) {
      const config = byId.get(id)
      if (!config) return undefined
      const provider = bound.get(id) ?? Object.freeze(bindProvider(config, settings))
      bound.set(id, provider)
      return provider
    },
  }
}
