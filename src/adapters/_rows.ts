export function insert<Row>(rows: Map<string, Row>, key: string, row: Row, method: string): Row {
  if (rows.has(key)) throw new Error(`${method}: a row with this key already exists.`)
  rows.set(key, row)
  return row
}

/** Replaces the given fields and ignores those that are `undefined`. */
export function update<Row>(
  rows: Map<string, Row>,
  key: string,
  changes: Partial<Row>,
  method: string,
): Row {
  const row = rows.get(key)
  if (!row) throw new Error(`${method}: no row has this key.`)
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  const updated = { ...row, ...Object.fromEntries(given) }
  rows.set(key, updated)
  return updated
}

export function remove<Row>(rows: Map<string, Row>, key: string): Row | null {
  const row = rows.get(key) ?? null
  rows.delete(key)
  return row
}

export function removeWhere<Row>(rows: Map<string, Row>, matches: (row: Row) => boolean): void {
  for (const [key, row] of rows) if (matches(row)) rows.delete(key)
}

export function ownedBy<Row extends { userId: string }>(
  rows: Map<string, Row>,
  userId: string,
): Row[] {
  return [...rows.values()].filter((row) => row.userId === userId)
}
