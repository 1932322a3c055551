import { chain } from '../async/awaitable.ts'
import type { Logger } from '../log/logger.ts'
import type { Awaitable } from '../types.ts'
import type { TokenDecoder } from './codec.ts'
import type { Revocations } from './revocations.ts'

/** Also rejects the tokens of sessions that have ended. */
export function unendedDecoder(
  log: Logger,
  decode: TokenDecoder,
  revocations: () => Awaitable<Revocations>,
): TokenDecoder {
  return (value, use) =>
    chain(decode(value, use), (decoded) => {
      if (!decoded) return null
      const ctx = { config: { log }, deadline: use.deadline }
      const isEnded = chain(revocations(), (list) => list.isEnded(ctx, decoded.token))
      return chain(isEnded, (ended) => (ended ? null : decoded))
    })
}
