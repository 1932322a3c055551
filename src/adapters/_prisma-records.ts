/** The model of records in Prisma, which has no conditional upsert. */
import type { StoredRecord } from '../core/records/record-store.ts'
import { isExpectedState } from './_records.ts'
import type { RecordRows } from './_records.ts'
import type { TableRows } from './_methods.ts'

type Count = PromiseLike<{ readonly count: number }>

interface RecordModel {
  findMany(args: object): PromiseLike<StoredRecord[]>
  updateMany(args: object): Count
  deleteMany(args: object): Count
}

/** A write that loses this often against others is an error. */
const MAX_ATTEMPTS = 5

interface ModelRows extends Pick<TableRows<StoredRecord>, 'list' | 'insert'> {
  run<T>(send: (model: RecordModel) => PromiseLike<T>): Promise<T>
}

export function prismaRecords(rows: ModelRows): RecordRows {
  const isAnyOf = (field: 'key' | 'owner', values: readonly string[]) => ({
    where: { [field]: { in: [...values] } },
  })

  /** `where`: the row as it was read; returns `false` if it was changed meanwhile. */
  async function replace(record: StoredRecord, where: Partial<StoredRecord>): Promise<boolean> {
    const data = { ...record }
    return (await rows.run((model) => model.updateMany({ where, data }))).count > 0
  }

  /** `false` if another call has inserted a row with this key. */
  async function insert(record: StoredRecord): Promise<boolean> {
    try {
      await rows.insert(record)
      return true
    } catch (error) {
      if ((await rows.list({ key: record.key })).length > 0) return false
      throw error
    }
  }

  return {
    async deleteExpired(before, limit) {
      const isExpired = { expires: { lt: before } }
      const found = await rows.run((model) => model.findMany({ where: isExpired, take: limit }))
      const key = { in: found.map((record) => record.key) }
      // With the condition again, because another process may replace a row before it is deleted.
      if (found.length > 0)
        await rows.run((model) => model.deleteMany({ where: { key, ...isExpired } }))
      return found.length
    },

    async list(field, values) {
      const found = await rows.run((model) => model.findMany(isAnyOf(field, values)))
      // The collation may ignore case.
      return found.filter((record) => values.includes(record[field] ?? ''))
    },

    async write(record, expected, now) {
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
        const [stored] = await rows.list({ key: record.key })
        if (!isExpectedState(stored, expected, now)) return false
        if (!stored) {
          if (await insert(record)) return true
          continue
        }
        const { key, value, expires } = stored
        const isAny = 'state' in expected && expected.state === 'any'
        if (await replace(record, isAny ? { key } : { key, value, expires })) return true
      }
      throw new Error('PrismaAdapter: too many concurrent calls write the same record.')
    },

    async delete(field, values) {
      await rows.run((model) => model.deleteMany(isAnyOf(field, values)))
    },
  }
}
