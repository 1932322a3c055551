import { chain } from '../async/awaitable.ts'
import type { Awaitable } from '../types.ts'
import type { DecodedToken, TokenDecoder, TokenRead, TokenReader } from './codec.ts'
import type { Revocations } from './revocations.ts'

function unlessEnded(
  list: Revocations,
  decoded: DecodedToken,
  { log, deadline }: TokenRead,
): Awaitable<DecodedToken | null> {
  // Fast path: nothing has ended since the session was looked up.
  if (list.isKept(decoded)) return decoded
  const isEnded = list.isEnded({ config: { log }, deadline }, decoded)
  return chain(isEnded, (ended) => (ended ? null : decoded))
}

/** Also rejects the tokens of sessions that have ended. */
export function unendedDecoder(
  decode: TokenDecoder,
  revocations: () => Awaitable<Revocations>,
): TokenReader {
  return (value, use) =>
    chain(
      decode(value, use),
      (decoded) => decoded && chain(revocations(), (list) => unlessEnded(list, decoded, use)),
    )
}
