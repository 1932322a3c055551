import { chain } from '../async/awaitable.ts'
import type { Awaitable } from '../types.ts'
import type { TokenDecoder, TokenReader } from './codec.ts'
import type { Revocations } from './revocations.ts'

/** Also rejects the tokens of sessions that have ended. */
export function unendedDecoder(
  decode: TokenDecoder,
  revocations: () => Awaitable<Revocations>,
): TokenReader {
  return (value, use) =>
    chain(
      decode(value, use),
      (decoded) => decoded && chain(revocations(), (list) => list.unlessEnded(decoded, use)),
    )
}
