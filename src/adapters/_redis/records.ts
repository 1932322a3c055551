import type { StoredRecord } from '../../core/records/record-store.ts'
import { isExpectedState } from '../_records.ts'
import type { RecordRows } from '../_records.ts'
import type { UnitOfWork } from './unit-of-work.ts'

const rowKey = (key: string) => `record:${key}`
const ownerKey = (owner: string) => `records:${owner}`

function removeFromOwner(unit: UnitOfWork, { key, owner }: StoredRecord): void {
  if (owner !== null) unit.removeFromList(ownerKey(owner), rowKey(key))
}

/** Each record is a string, and each owner a sorted set of the keys. The commit script compares what was read. */
export function redisRecords(
  run: <T>(work: (unit: UnitOfWork) => Promise<T>) => Promise<T>,
  deleteExpired: RecordRows['deleteExpired'],
): RecordRows {
  return {
    deleteExpired,
    list: (field, values) =>
      run(async (unit) => {
        const lists = values.map((value) =>
          field === 'key' ? [rowKey(value)] : unit.list(ownerKey(value)),
        )
        const keys = (await Promise.all(lists)).flat()
        const records = await Promise.all(keys.map((key) => unit.get<StoredRecord>(key)))
        return records.flatMap((record) => record ?? [])
      }),
    write: (record, expected, now) =>
      run(async (unit) => {
        const { key, owner, expires } = record
        const before = await unit.get<StoredRecord>(rowKey(key))
        if (!isExpectedState(before, expected, now)) return false
        if (before && before.owner !== owner) removeFromOwner(unit, before)
        if (owner !== null) unit.addToList(ownerKey(owner), rowKey(key), expires)
        unit.set(rowKey(key), record, expires)
        return true
      }),
    delete: (field, values) =>
      run(async (unit) => {
        for (const value of values) {
          if (field === 'owner') {
            await unit.clearList(ownerKey(value))
            continue
          }
          const record = await unit.get<StoredRecord>(rowKey(value))
          if (record) removeFromOwner(unit, record)
          unit.delete(rowKey(value))
        }
      }),
  }
}
