const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
const COUNTED = /^(?:0|[1-9]\d{0,18})$/
/** The maximum of a signed 64-bit column. */
const LARGEST = 2n ** 63n - 1n

export function isUuid(id: string): boolean {
  return UUID.test(id)
}

/** Parses an auto-increment id; `null` if the text cannot be one. */
export function countedId(id: string): number | bigint | null {
  const exact = COUNTED.test(id) ? BigInt(id) : -1n
  if (exact < 0n || exact > LARGEST) return null
  return exact > Number.MAX_SAFE_INTEGER ? exact : Number(exact)
}

/** @throws Error when the driver has rounded the id, because it would identify another user */
export function idAsText(id: unknown): unknown {
  if (typeof id === 'bigint') return String(id)
  if (typeof id !== 'number') return id
  if (Number.isSafeInteger(id)) return String(id)
  throw new Error(
    `The driver rounded the id ${id}, which exceeds Number.MAX_SAFE_INTEGER. Configure it to return such ids as strings or bigint: { supportBigNumbers: true } with mysql2, defaultSafeIntegers() with better-sqlite3, { mode: 'bigint' } for a column of Drizzle.`,
  )
}
