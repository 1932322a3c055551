/** The records of an adapter as the store of a configuration. */
import type { Adapter, AuthConfig } from '../../../src/index.ts'

/** Without users in the database, nothing else says to whom records belong. */
const ownersIn = new WeakMap<Adapter, Set<string>>()

/** The owners of the records that were written with {@link storeOf}. */
export function ownersOf(adapter: Adapter): readonly string[] {
  return [...(ownersIn.get(adapter) ?? [])]
}

export function storeOf(adapter: Adapter): NonNullable<AuthConfig['store']> {
  const { readRecords, listRecords, writeRecord, deleteRecords } = adapter
  if (!readRecords || !listRecords || !writeRecord || !deleteRecords) throw new Error('No store.')
  const owners = new Set<string>()
  ownersIn.set(adapter, owners)
  return {
    readRecords,
    listRecords,
    deleteRecords,
    writeRecord(record, ...expected) {
      if (record.owner !== null) owners.add(record.owner)
      return writeRecord(record, ...expected)
    },
  }
}
