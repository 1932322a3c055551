/** References by which a user can name an error of the log. */
import { toHex } from '../crypto/digest.ts'

const references: WeakMap<Error, string> = new WeakMap()

/** The reference of an error in the log or the audit log; `undefined` if neither contains it. */
export function findReference(error: Error): string | undefined {
  return references.get(error)
}

/** Eight random hexadecimal digits. */
export function newReference(): string {
  const hex = toHex(crypto.getRandomValues(new Uint8Array(4)))
  return `${hex.slice(0, 4)}-${hex.slice(4)}`
}

/** An error that is logged twice keeps its reference. */
export function issueReference(error: Error): string {
  const reference = references.get(error) ?? newReference()
  references.set(error, reference)
  return reference
}
