/** Ids of users, in columns that are no texts. */

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
const COUNTED = /^(?:0|[1-9]\d{0,18})$/
/** The largest that databases count to. */
const LARGEST = 2n ** 63n - 1n

/** Whether a text is a UUID. */
export function isUuid(id: string): boolean {
  return UUID.test(id)
}

/** The number that a text is, or `null`: then no database has counted it. */
export function countedId(id: string): number | bigint | null {
  const exact = COUNTED.test(id) ? BigInt(id) : -1n
  if (exact < 0n || exact > LARGEST) return null
  return exact > Number.MAX_SAFE_INTEGER ? exact : Number(exact)
}

/**
 * An id as the library has it.
 *
 * @throws Error when the driver has rounded it: it would be somebody else's
 */
export function idAsText(id: unknown): unknown {
  if (typeof id === 'bigint') return String(id)
  if (typeof id !== 'number') return id
  if (Number.isSafeInteger(id)) return String(id)
  throw new Error(
    `The driver rounded the id ${id}, which exceeds Number.MAX_SAFE_INTEGER. Configure it to return such ids as strings or bigint: { supportBigNumbers: true } with mysql2, defaultSafeIntegers() with better-sqlite3, { mode: 'bigint' } for a column of Drizzle.`,
  )
}
