import type { EmailConfig } from '../../config/email.ts'
import type { BoundProvider } from '../../contracts.ts'
import type { DatabaseSource } from '../../database/database.ts'
import { lazily } from '../../lazily.ts'

const loadBegin = lazily(() => import('./begin.ts'))
const loadComplete = lazily(() => import('./complete.ts'))

export function bindEmail(config: EmailConfig, database: DatabaseSource): BoundProvider {
  const { id, name, type } = config
  const provider = async () => ({ id, config, database: await database() })
  return {
    id,
    name,
    type,
    // GET: the token in the link is the proof. POST: the confirmation page sends a CSRF token.
    guards: { GET: 'none', POST: 'csrf' },
    offer: { kind: 'email' },
    begin: async (ctx) => (await loadBegin()).begin(ctx, await provider()),
    complete: async (ctx) => (await loadComplete()).complete(ctx, await provider()),
  }
}
