/** References by which a user can name an error of the log. */
import { toHex } from '../crypto/digest.ts'

const references: WeakMap<Error, string> = new WeakMap()

/** The reference of a logged error; `undefined` if the log does not contain it. */
export function referenceOf(error: Error): string | undefined {
  return references.get(error)
}

/** Eight random hexadecimal digits; an error that is logged twice keeps its reference. */
export function issueReference(error: Error): string {
  const hex = toHex(crypto.getRandomValues(new Uint8Array(4)))
  const reference = references.get(error) ?? `${hex.slice(0, 4)}-${hex.slice(4)}`
  references.set(error, reference)
  return reference
}
