/** Results of `String(profile.id)` without an id. Accepting one would give all such users the same account. */
const NO_ID: ReadonlySet<string> = new Set(['', 'undefined', 'null', 'NaN', '[object Object]'])

/**
 * The id of a user at a provider, as text. A number that is not a safe integer is rejected: JSON numbers above 2^53 are
 * rounded (RFC 8259 §6), so two users could have the same id.
 *
 * @throws Error
 */
export function accountId(id: unknown): string {
  if (typeof id === 'bigint' || Number.isSafeInteger(id)) return String(id)
  if (typeof id === 'string' && !NO_ID.has(id)) return id
  if (typeof id === 'number' && !Number.isNaN(id))
    throw new Error(
      `The id of the user is not an exact integer (got ${id}). Return it as a string.`,
    )
  throw new Error(
    'profile() returned no id. Return the id of the user at the provider, as a string or number.',
  )
}
