import { isPromise } from '../async/awaitable.ts'
import type { Awaitable } from '../types.ts'
import type { DecodedToken, TokenRead } from './codec.ts'
import type { Revocations } from './revocations.ts'

/** The last check of a token: whether its session has ended. */
export function unlessEnded(
  revocations: () => Awaitable<Revocations>,
): (decoded: DecodedToken, use: TokenRead) => Awaitable<DecodedToken | null> {
  return (decoded, use) => {
    const list = revocations()
    if (isPromise(list)) return list.then((loaded) => loaded.unlessEnded(decoded, use))
    return list.unlessEnded(decoded, use)
  }
}
