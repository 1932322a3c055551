import type { StoredRecord } from '../../../src/adapters/index.ts'
import { delay, fault, folded } from './fault.ts'
import type { Fault } from './fault.ts'

const lasting = new Date('2037-01-01T00:00:00.000Z')

export const recordFaults: readonly Fault[] = [
  fault(
    'writeRecord with a race condition between read and write, for a free key',
    'writeRecord stores a record in one of fifty concurrent calls that expect none',
    /^writeRecord, 50 concurrent calls: expected exactly one to return true, got 50/,
    (memory) => ({
      async writeRecord(record) {
        const [found] = await memory.readRecords([record.key])
        await delay()
        return found ? false : memory.writeRecord(record)
      },
    }),
  ),
  fault(
    'writeRecord with a race condition between read and write, for an expired record',
    'writeRecord replaces an expired record in one of fifty concurrent calls',
    /^writeRecord, 50 concurrent calls: expected exactly one to return true, got 50/,
    (memory) => ({
      async writeRecord(record, expected) {
        const [found] = await memory.readRecords([record.key])
        await delay()
        return memory.writeRecord(record, found ? undefined : expected)
      },
    }),
  ),
  fault(
    'writeRecord with a race condition between read and write, for a value',
    'writeRecord replaces a value in one of fifty concurrent calls',
    /^writeRecord, 50 concurrent calls: expected exactly one to return true, got 50/,
    (memory) => ({
      async writeRecord(record, expected) {
        const [found] = await memory.readRecords([record.key])
        await delay()
        return typeof expected === 'string' && found?.value === expected
          ? memory.writeRecord(record)
          : memory.writeRecord(record, expected)
      },
    }),
  ),
  fault(
    'writeRecord throwing a serialization failure',
    'writeRecord replaces a value in one of fifty concurrent calls',
    /^writeRecord, 50 concurrent calls: expected no error, got Error: could not serialize/,
    (memory) => ({
      async writeRecord(record, expected) {
        const isWritten = await memory.writeRecord(record, expected)
        if (!isWritten) throw new Error('could not serialize access')
        return isWritten
      },
    }),
  ),
  fault(
    'writeRecord keeping the owner of the replaced record',
    'writeRecord stores a record in place of one with the same key',
    /^readRecords\(\[.*\]\) after writeRecord: expected \[/,
    (memory) => ({
      async writeRecord(record, expected) {
        const [found] = await memory.readRecords([record.key])
        return memory.writeRecord({ ...record, owner: found?.owner ?? record.owner }, expected)
      },
    }),
  ),
  fault(
    'writeRecord replacing an existing record where none is expected',
    'writeRecord that expects no record keeps an existing one',
    /^writeRecord\(\{ .* \}, null\) after writeRecord: expected false, got true/,
    (memory) => ({
      writeRecord: async (record, expected) => memory.writeRecord(record, expected ?? undefined),
    }),
  ),
  fault(
    'writeRecord treating an expired record as valid',
    'writeRecord that expects no record replaces an expired one',
    /^writeRecord\(\{ .* \}, null\) after writeRecord: expected true, got false/,
    (memory) => ({
      async writeRecord(record, expected) {
        if (expected !== null) return memory.writeRecord(record, expected)
        const [found] = await memory.readRecords([record.key])
        return found ? false : memory.writeRecord(record, null)
      },
    }),
  ),
  fault(
    'writeRecord comparing values like a case-insensitive collation',
    'writeRecord that expects a value compares it exactly',
    /^writeRecord\(\{ .* \}, "V.*"\) after writeRecord: expected false, got true/,
    (memory) => ({
      async writeRecord(record, expected) {
        const [found] = await memory.readRecords([record.key])
        const isSame =
          found && typeof expected === 'string' && folded(found.value) === folded(expected)
        return memory.writeRecord(record, isSame ? found.value : expected)
      },
    }),
  ),
  fault(
    'writeRecord storing a record whose expected value does not exist',
    'writeRecord that expects a value stores nothing without a record',
    /^writeRecord\(\{ .* \}, "v.*"\): expected false, got true/,
    (memory) => ({
      async writeRecord(record, expected) {
        const [found] = await memory.readRecords([record.key])
        return memory.writeRecord(record, found ? expected : undefined)
      },
    }),
  ),
  fault(
    'writeRecord comparing the value of an expired record',
    'writeRecord that expects a value does not replace an expired record',
    /^writeRecord\(\{ .* \}, "v.*"\) after writeRecord: expected false, got true/,
    (memory) => ({
      async writeRecord(record, expected) {
        const [found] = await memory.readRecords([record.key])
        const isSame = found && found.value === expected
        return memory.writeRecord(record, isSame ? undefined : expected)
      },
    }),
  ),
  fault(
    'a value column of 255 characters',
    'writeRecord stores long keys and values, and Unicode',
    /^readRecords\(\[.*\]\) after writeRecord: expected \[/,
    (memory) => ({
      writeRecord: async (record, expected) =>
        memory.writeRecord({ ...record, value: record.value.slice(0, 255) }, expected),
    }),
  ),
  fault(
    'readRecords returning the first record only',
    'readRecords returns the records with these keys',
    /^readRecords\(\[.*\]\) after writeRecord: expected \[.*\], got \[/,
    (memory) => ({
      readRecords: async (keys) => (await memory.readRecords(keys)).slice(0, 1),
    }),
  ),
  fault(
    'readRecords comparing keys like a case-insensitive collation',
    'readRecords matches the exact key only',
    /^readRecords\(\[.*\]\) after writeRecord: expected \[\], got \[/,
    (memory) => {
      const stored = new Map<string, StoredRecord>()
      return {
        async writeRecord(record, expected) {
          stored.set(folded(record.key), record)
          return memory.writeRecord(record, expected)
        },
        readRecords: (keys) => keys.flatMap((key) => stored.get(folded(key)) ?? []),
      }
    },
  ),
  fault(
    'listRecords returning the records of every owner',
    'listRecords returns the records of exactly this owner',
    /^listRecords\(".*"\) after writeRecord: expected \[.*\], got \[/,
    (memory) => {
      const stored: StoredRecord[] = []
      return {
        async writeRecord(record, expected) {
          stored.push(record)
          return memory.writeRecord(record, expected)
        },
        listRecords: () => stored,
      }
    },
  ),
  fault(
    'deleteRecords deleting the first key only',
    'deleteRecords deletes the records with these keys',
    /^readRecords\(\[.*\]\) after deleteRecords: expected \[/,
    (memory) => ({
      deleteRecords: async (of) =>
        memory.deleteRecords('keys' in of ? { keys: of.keys.slice(0, 1) } : of),
    }),
  ),
  fault(
    'deleteRecords ignoring owners',
    'deleteRecords deletes all records of an owner',
    /^listRecords\(".*"\) after deleteRecords: expected \[\], got \[/,
    (memory) => ({
      deleteRecords: async (of) => ('keys' in of ? memory.deleteRecords(of) : undefined),
    }),
  ),
  fault(
    'deleteExpired keeping records',
    'deleteExpired deletes records that expire before the given time',
    /^readRecords\(\[.*\]\) after deleteExpired: expected \[/,
    (memory) => ({
      writeRecord: async (record, expected) =>
        memory.writeRecord({ ...record, expires: lasting }, expected),
    }),
  ),
  fault(
    'records written outside of the transaction',
    'transaction that is rolled back keeps the records',
    /^readRecords\(\[.*\]\) after transaction: expected \[/,
    (memory) => {
      const stored = new Map<string, StoredRecord>()
      const outside = {
        async writeRecord(record: StoredRecord) {
          stored.set(record.key, record)
          return true
        },
        readRecords: (keys: readonly string[]) => keys.flatMap((key) => stored.get(key) ?? []),
      }
      return {
        ...outside,
        transaction: (work) => memory.transaction((inner) => work({ ...inner, ...outside })),
      }
    },
  ),
]
