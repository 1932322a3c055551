/** What `getToken` reads of ended sessions. */
import { lazily } from '../async/cache.ts'
import { createDatabase } from '../database/database.ts'
import { InvalidConfiguration } from '../errors/classes.ts'
import { createLogger } from '../log/logger.ts'
import { recordAccess } from '../records/access.ts'
import type { TokenDecoder } from '../session/codec.ts'
import { adapterSource } from './adapter.ts'
import { sessionListProblems } from './session-list.ts'
import { revocationProblems, sessionRevocations } from './session-revocation.ts'
import type { AuthConfig } from './types.ts'

/** Also rejects the tokens of sessions that have ended. @throws InvalidConfiguration */
export async function withoutRevoked(
  config: AuthConfig,
  decoder: TokenDecoder,
): Promise<TokenDecoder> {
  for (const problem of [...revocationProblems(config), ...sessionListProblems(config)])
    throw new InvalidConfiguration(problem)
  const source = config.store ?? adapterSource(config.adapter)
  const records = source && recordAccess(lazily(async () => createDatabase(source)))
  const load = sessionRevocations(config, records)
  if (!load) return decoder
  const revocations = await load(decoder)
  const log = createLogger(config)
  return async (value, use) => {
    const decoded = await decoder(value, use)
    return decoded && revocations.unlessEnded(decoded, { ...use, log })
  }
}
