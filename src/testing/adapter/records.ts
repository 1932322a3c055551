import type { StoredRecord } from '../../core/database/adapter.ts'
import { adapterCase, callEach, RACE_CALLS, stepCases } from './case.ts'
import type { AdapterCase, Having, Step } from './case.ts'
import { expectMatch } from './expect.ts'
import { raceForOne } from './race.ts'
import { BETWEEN, EARLY, lookalikes, newRecord, ODD_TEXT, unique } from './rows.ts'

/** The limit of keys and owners, in characters. */
const MAX_KEY = 191
const MAX_VALUE = 16_000

/** Recently, because an adapter may delete at any time what expired long ago. */
const expired = (record: StoredRecord): StoredRecord => ({
  ...record,
  expires: new Date(Date.now() - 10_000),
})
const changed = (record: StoredRecord): StoredRecord => ({ ...record, value: unique() })

function holds(...records: readonly StoredRecord[]): Step {
  return ['readRecords', [records.map(({ key }) => key)], records]
}

const writeCases = stepCases(0, {
  'writeRecord stores a record in place of one with the same key': () => {
    const [owner, other] = [unique(), unique()]
    const record = newRecord({ owner })
    const second = {
      ...changed(record),
      owner: other,
      expires: new Date('2036-05-06T07:08:09.123Z'),
    }
    return [
      ['writeRecord', [record], true],
      holds(record),
      ['writeRecord', [second], true],
      holds(second),
      ['listRecords', [owner], []],
      ['listRecords', [other], [second]],
    ]
  },
  'writeRecord that expects no record keeps an existing one': () => {
    const record = newRecord()
    return [
      ['writeRecord', [record, null], true],
      ['writeRecord', [changed(record), null], false],
      ['writeRecord', [record, null], false],
      holds(record),
    ]
  },
  'writeRecord that expects no record replaces an expired one': () => {
    const record = newRecord({ owner: unique() })
    return [
      ['writeRecord', [expired(record)]],
      ['writeRecord', [record, null], true],
      holds(record),
      ['listRecords', [record.owner ?? ''], [record]],
    ]
  },
  'writeRecord that expects a value compares it exactly': () => {
    const record = newRecord()
    const second = changed(record)
    return [
      ['writeRecord', [record]],
      ...lookalikes(record.value).map((value) => ['writeRecord', [second, value], false] as const),
      holds(record),
      ['writeRecord', [second, record.value], true],
      ['writeRecord', [record, record.value], false],
      holds(second),
      ['writeRecord', [second, second.value], true],
    ]
  },
  'writeRecord that expects a value stores nothing without a record': () => {
    const record = newRecord()
    return [
      ['writeRecord', [record, record.value], false],
      ['readRecords', [[record.key]], []],
    ]
  },
  'writeRecord that expects a value does not replace an expired record': () => {
    const record = newRecord()
    return [
      ['writeRecord', [expired(record)]],
      ['writeRecord', [record, record.value], false],
      ['writeRecord', [record, null], true],
    ]
  },
  'writeRecord stores long keys and values, and Unicode': () => {
    const long = newRecord({
      key: unique().padEnd(MAX_KEY, 'k'),
      owner: unique().padEnd(MAX_KEY, 'o'),
      value: unique().padEnd(MAX_VALUE, 'v'),
    })
    const odd = newRecord({ value: ODD_TEXT + unique(), owner: ODD_TEXT + unique() })
    return [
      ...callEach('writeRecord', [long, odd], true),
      holds(long, odd),
      ['writeRecord', [changed(odd), odd.value], true],
      ['listRecords', [long.owner ?? ''], [long]],
    ]
  },
})

/** As many as the records of a user who has ended 2,000 sessions. */
const manyKeys = () => Array.from({ length: 1998 }, unique)

const readCases = stepCases(0, {
  'readRecords returns the records with these keys': () => {
    const [first, second, third] = [newRecord(), newRecord({ owner: unique() }), newRecord()]
    return [
      ...callEach('writeRecord', [first, second, third]),
      ['readRecords', [[first.key, unique(), second.key]], [first, second]],
      ['readRecords', [[]], []],
    ]
  },
  'readRecords matches the exact key only': () => {
    const record = newRecord()
    return [
      ['writeRecord', [record]],
      ['readRecords', [lookalikes(record.key)], []],
    ]
  },
  'readRecords accepts 2,000 keys': () => {
    const [first, last] = [newRecord(), newRecord()]
    return [
      ...callEach('writeRecord', [first, last]),
      ['readRecords', [[first.key, ...manyKeys(), last.key]], [first, last]],
    ]
  },
  'listRecords returns the records of exactly this owner': () => {
    const owner = unique()
    const records = [newRecord({ owner }), newRecord({ owner })]
    return [
      ...callEach('writeRecord', [...records, newRecord(), newRecord({ owner: unique() })]),
      ['listRecords', [owner], records],
      ...callEach('listRecords', [unique(), ...lookalikes(owner)], []),
    ]
  },
})

const deleteCases = stepCases(0, {
  'deleteRecords deletes the records with these keys': () => {
    const owner = unique()
    const [first, second, kept] = [newRecord({ owner }), newRecord(), newRecord({ owner })]
    return [
      ...callEach('writeRecord', [first, second, kept]),
      ['deleteRecords', [{ keys: [first.key, second.key, unique()] }]],
      ['readRecords', [[first.key, second.key, kept.key]], [kept]],
      ['listRecords', [owner], [kept]],
      ['deleteRecords', [{ keys: [] }]],
      ['writeRecord', [first, null], true],
    ]
  },
  'deleteRecords accepts 2,000 keys': () => {
    const [first, last, kept] = [newRecord(), newRecord(), newRecord()]
    return [
      ...callEach('writeRecord', [first, last, kept]),
      ['deleteRecords', [{ keys: [first.key, ...manyKeys(), last.key] }]],
      ['readRecords', [[first, last, kept].map(({ key }) => key)], [kept]],
    ]
  },
  'deleteRecords deletes all records of an owner': () => {
    const owner = unique()
    const [first, second] = [newRecord({ owner }), newRecord({ owner })]
    const kept = [newRecord(), newRecord({ owner: unique() })]
    return [
      ...callEach('writeRecord', [first, second, ...kept]),
      ...callEach('deleteRecords', [{ owner }, { owner: unique() }]),
      ['listRecords', [owner], []],
      ['readRecords', [[first, second, ...kept].map(({ key }) => key)], kept],
    ]
  },
  'deleteExpired deletes records that expire before the given time': () => {
    const owner = unique()
    const [early, kept] = [newRecord({ owner, expires: EARLY }), newRecord({ owner })]
    return [
      ...callEach('writeRecord', [early, kept]),
      ['deleteExpired', [BETWEEN]],
      ['readRecords', [[early.key, kept.key]], [kept]],
      ['listRecords', [owner], [kept]],
    ]
  },
  'transaction that is rolled back keeps the records': () => {
    const [record, added] = [newRecord(), newRecord()]
    const second = changed(record)
    return [
      ['writeRecord', [record]],
      [
        'transaction',
        [
          ['writeRecord', [second, record.value], true],
          ['writeRecord', [added, null], true],
          ['readRecords', [[record.key, added.key]], [second, added]],
        ],
        'rollback',
      ],
      ['readRecords', [[record.key, added.key]], [record]],
    ]
  },
})

const RACED = ['writeRecord', 'readRecords'] as const

/** Fifty concurrent writes: exactly one must return `true`, and its record must be stored. */
async function raceWrites(
  adapter: Having<(typeof RACED)[number]>,
  { key }: StoredRecord,
  expected: string | null,
): Promise<void> {
  const records = Array.from({ length: RACE_CALLS }, () => newRecord({ key }))
  const winner = await raceForOne('writeRecord', 'true', async (index) =>
    adapter.writeRecord(records[index] ?? newRecord(), expected),
  )
  const after = `writeRecord, ${RACE_CALLS} concurrent calls`
  expectMatch(`readRecords after ${after}`, await adapter.readRecords([key]), [records[winner]])
}

function raceCase(
  name: string,
  prepare: (
    record: StoredRecord,
  ) => readonly [before: StoredRecord | null, expected: string | null],
): AdapterCase {
  return adapterCase(
    name,
    () => RACED,
    async (adapter) => {
      const record = newRecord()
      const [before, expected] = prepare(record)
      if (before) await adapter.writeRecord(before)
      await raceWrites(adapter, record, expected)
    },
  )
}

const raceCases = [
  raceCase('writeRecord stores a record in one of fifty concurrent calls that expect none', () => [
    null,
    null,
  ]),
  raceCase('writeRecord replaces an expired record in one of fifty concurrent calls', (record) => [
    expired(record),
    null,
  ]),
  raceCase('writeRecord replaces a value in one of fifty concurrent calls', (record) => [
    record,
    record.value,
  ]),
]

export const recordCases: readonly AdapterCase[] = [
  ...writeCases,
  ...readCases,
  ...deleteCases,
  ...raceCases,
]
