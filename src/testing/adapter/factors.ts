import { adapterCase, callEach, createUsers, RACE_CALLS, stepCases } from './case.ts'
import type { AdapterCase, Step } from './case.ts'
import { expectMatch, fail, together } from './expect.ts'
import { raceForOne } from './race.ts'
import { lookalikes, newFactor, ODD_TEXT, unique } from './rows.ts'

/** A time step of thirty seconds in 2025. */
const STEP = 58_000_000
const MAX_SECRET = 1000

const storageCases = stepCases(2, {
  'createFactor stores every field of a factor': ({ user }) => {
    const bare = newFactor(user.id)
    const full = newFactor(user.id, {
      type: 'recovery',
      secret: unique().padEnd(MAX_SECRET, 's'),
      name: ODD_TEXT,
      lastStep: STEP,
      confirmed: true,
    })
    return [...callEach('createFactor', [bare, full]), ['listFactors', [user.id], [bare, full]]]
  },
  'createFactor throws for an id that already exists': ({ user, other }) => {
    const factor = newFactor(user.id)
    return [
      ['createFactor', [factor]],
      ['createFactor', [{ ...factor, userId: other.id, secret: unique() }], 'an error'],
      ['listFactors', [user.id], [factor]],
      ['listFactors', [other.id], []],
    ]
  },
  'listFactors returns the factors of exactly this user': ({ user, other }) => {
    const factors = [newFactor(user.id), newFactor(user.id, { confirmed: true })]
    return [
      ...callEach('listFactors', [user.id, unique()], []),
      ...callEach('createFactor', [...factors, newFactor(other.id)]),
      ['listFactors', [user.id], factors],
    ]
  },
  'deleteFactor returns the row once, and keeps the others': ({ user, other }) => {
    const [factor, second] = [newFactor(user.id, { lastStep: STEP }), newFactor(user.id)]
    const otherFactor = newFactor(other.id)
    return [
      ...callEach('createFactor', [factor, second, otherFactor]),
      ['deleteFactor', [factor.id], factor],
      ['deleteFactor', [factor.id], null],
      ['listFactors', [user.id], [second]],
      ['listFactors', [other.id], [otherFactor]],
      ['createFactor', [factor]],
    ]
  },
  'deleteFactor matches the exact id only': ({ user }) => {
    const factor = newFactor(user.id)
    return [
      ['createFactor', [factor]],
      ...callEach('deleteFactor', [unique(), ...lookalikes(factor.id)], null),
      ['listFactors', [user.id], [factor]],
    ]
  },
  'deleteUser deletes the factors of the user': ({ user, other }) => {
    const [factor, second, otherFactor] = [
      newFactor(user.id, { confirmed: true }),
      newFactor(user.id),
      newFactor(other.id),
    ]
    return [
      ...callEach('createFactor', [factor, second, otherFactor]),
      ['deleteUser', [user.id]],
      ['listFactors', [user.id], []],
      ['deleteFactor', [factor.id], null],
      ['listFactors', [other.id], [otherFactor]],
      ['createFactor', [{ ...factor, userId: other.id }]],
    ]
  },
  'transaction that is rolled back keeps the factors': ({ user }) => {
    const [used, deleted] = [newFactor(user.id), newFactor(user.id)]
    return [
      ...callEach('createFactor', [used, deleted]),
      [
        'transaction',
        [
          ['useFactor', [{ id: used.id, step: STEP }], true],
          ['useFactor', [{ id: used.id, step: STEP }], false],
          ['deleteFactor', [deleted.id], deleted],
          ['createFactor', [newFactor(user.id)]],
        ],
        'rollback',
      ],
      ['listFactors', [user.id], [used, deleted]],
    ]
  },
})

const use = (id: string, step: number, expected: boolean): Step => [
  'useFactor',
  [{ id, step }],
  expected,
]

const useCases = stepCases(2, {
  'useFactor confirms a factor and stores the step of its code': ({ user, other }) => {
    const [factor, second] = [newFactor(user.id, { name: 'Phone' }), newFactor(user.id)]
    const otherFactor = newFactor(other.id)
    return [
      ...callEach('createFactor', [factor, second, otherFactor]),
      use(factor.id, STEP, true),
      ['listFactors', [user.id], [{ ...factor, lastStep: STEP, confirmed: true }, second]],
      ['listFactors', [other.id], [otherFactor]],
    ]
  },
  'useFactor accepts a higher step only': ({ user }) => {
    const factor = newFactor(user.id)
    const stored = (lastStep: number): Step => [
      'listFactors',
      [user.id],
      [{ ...factor, lastStep, confirmed: true }],
    ]
    return [
      ['createFactor', [factor]],
      use(factor.id, STEP, true),
      use(factor.id, STEP, false),
      use(factor.id, STEP - 1, false),
      stored(STEP),
      use(factor.id, STEP + 1, true),
      use(factor.id, STEP, false),
      stored(STEP + 1),
    ]
  },
  'useFactor matches the exact id only': ({ user }) => {
    const factor = newFactor(user.id)
    return [
      ['createFactor', [factor]],
      ...[unique(), ...lookalikes(factor.id)].map((id) => use(id, STEP, false)),
      ['listFactors', [user.id], [factor]],
    ]
  },
})

const METHODS = ['createUser', 'createFactor', 'listFactors'] as const

const raceCases = [
  adapterCase(
    'useFactor accepts a step in one of fifty concurrent calls',
    () => [...METHODS, 'useFactor'],
    async (adapter) => {
      const [user] = await createUsers(adapter, 1)
      const factor = newFactor(user?.id ?? '', { lastStep: STEP - 1 })
      await adapter.createFactor(factor)
      await raceForOne('useFactor', 'true', async () =>
        adapter.useFactor({ id: factor.id, step: STEP }),
      )
      const stored = { ...factor, lastStep: STEP, confirmed: true }
      const factors = await adapter.listFactors(factor.userId)
      expectMatch('listFactors after fifty concurrent calls of useFactor', factors, [stored])
    },
  ),
  adapterCase(
    'useFactor keeps the highest of fifty concurrent steps',
    () => [...METHODS, 'useFactor'],
    async (adapter) => {
      const [user] = await createUsers(adapter, 1)
      const factor = newFactor(user?.id ?? '')
      await adapter.createFactor(factor)
      const steps = Array.from({ length: RACE_CALLS }, (_, index) => STEP + index).reverse()
      const outcomes = await together(
        steps.map((step) => () => adapter.useFactor({ id: factor.id, step })),
      )
      const what = `useFactor, ${RACE_CALLS} concurrent calls`
      const failed = outcomes.find(({ status }) => status === 'rejected')
      if (failed?.status === 'rejected') fail(what, 'no error', failed.reason)
      const [highest = 0] = steps
      const [first] = outcomes
      if (first?.status === 'fulfilled' && !first.value)
        fail(what, 'the highest to return true', first.value)
      const factors = await adapter.listFactors(factor.userId)
      expectMatch(`listFactors after ${what}`, factors, [{ lastStep: highest, confirmed: true }])
    },
  ),
  adapterCase(
    'deleteFactor returns a factor to one of fifty concurrent calls',
    () => [...METHODS, 'deleteFactor'],
    async (adapter) => {
      const [user] = await createUsers(adapter, 1)
      const [factor, kept] = [newFactor(user?.id ?? ''), newFactor(user?.id ?? '')]
      for (const each of [factor, kept]) await adapter.createFactor(each)
      await raceForOne('deleteFactor', 'the row', async () => adapter.deleteFactor(factor.id))
      const factors = await adapter.listFactors(factor.userId)
      expectMatch('listFactors after fifty concurrent calls of deleteFactor', factors, [kept])
    },
  ),
]

export const factorCases: readonly AdapterCase[] = [...storageCases, ...useCases, ...raceCases]
