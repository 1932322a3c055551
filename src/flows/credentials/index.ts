import type { CredentialsConfig } from '../../config/credentials.ts'
import type { BoundProvider } from '../../contracts.ts'
import { lazily } from '../../lazily.ts'

const load = lazily(() => import('./authorize.ts'))

export function bindCredentials(config: CredentialsConfig): BoundProvider {
  const { id, name, type, credentials } = config
  return {
    id,
    name,
    type,
    guards: { POST: 'csrf' },
    offer: credentials ? { kind: 'form', fields: credentials } : { kind: 'none' },
    begin: async (ctx) => (await load()).begin(ctx),
    complete: async (ctx) => (await load()).complete(ctx, config),
  }
}
