import type { Adapter, AdapterUser } from '../../core/database/adapter.ts'
import { expectMatch, fail, Mismatch, show, succeeded, together } from './expect.ts'
import { newRows, newUser } from './rows.ts'
import type { Rows } from './rows.ts'

/** Receives a warning about behaviour that the contract allows but discourages. */
export type Report = (remark: string) => void

/** One requirement of the adapter contract, with its test. */
export interface AdapterCase {
  /** Begins with the name of the tested method. */
  readonly name: string
  /** The required methods. An adapter that lacks one of them cannot be tested. */
  readonly needs: readonly (keyof Adapter)[]
  /**
   * Tests the adapter with rows of its own, in a database that need not be empty. `report` defaults to `console.warn`.
   *
   * @throws Error with the method, the expected and the actual result
   */
  run(adapter: Adapter, report?: Report): Promise<void>
}

type Method = keyof Adapter
export type Having<Name extends Method> = Required<Pick<Adapter, Name>>

/** A value, a row with these fields, or an array of such rows in any order. Without it, the call must not throw. */
type Expected = object | boolean | null | 'an error' | 'preferably no error'

type PlainMethod = Exclude<Method, 'transaction'>

export type Call = {
  [Name in PlainMethod]: readonly [
    method: Name,
    args: Readonly<Parameters<Required<Adapter>[Name]>>,
    expected?: Expected | undefined,
  ]
}[PlainMethod]

export function callEach<Name extends PlainMethod, Argument>(
  method: Name,
  args: readonly Argument[],
  expected?: Expected,
): (readonly [Name, readonly [Argument], Expected | undefined])[] {
  return args.map((argument) => [method, [argument], expected])
}

/** Calls in a transaction, which is rolled back if its work throws at the end. */
type TransactionStep = readonly ['transaction', calls: readonly Call[], end: 'commit' | 'rollback']

/** A concurrent call, and calls afterwards if it succeeds. */
export type Racer = readonly [call: Call, ...checks: Call[]]

type Winners = 'exactly one' | 'at least one' | 'all'

/** Fifty concurrent calls, of each racer in turn. Afterwards, the checks of one that succeeded must hold. */
type RaceStep = readonly ['race', racers: readonly Racer[], winners: Winners]

export type Step = Call | TransactionStep | RaceStep

export const RACE_CALLS = 50

/** Methods that may return the affected row or nothing. */
const MAY_RETURN_NOTHING: ReadonlySet<Method> = new Set(['updateSession', 'deleteSession'])

export function missingMethods<Name extends Method>(
  adapter: Adapter,
  methods: readonly Name[],
): readonly Name[] {
  return methods.filter((method) => typeof adapter[method] !== 'function')
}

function hasMethods<Name extends Method>(
  adapter: Adapter,
  methods: readonly Name[],
): adapter is Adapter & Having<Name> {
  return missingMethods(adapter, methods).length === 0
}

async function runTransaction(adapter: Adapter, [, calls, end]: TransactionStep): Promise<void> {
  const reason = end === 'rollback' ? new Error('The work fails at its end.') : undefined
  let thrown: unknown
  try {
    await adapter.transaction?.(async (inner) => {
      await runSteps(inner, calls)
      if (reason) throw reason
    })
  } catch (error) {
    thrown = error
  }
  if (thrown instanceof Mismatch) throw thrown
  if (thrown !== reason) fail('transaction', reason ? 'the error of its work' : 'no error', thrown)
}

async function runRace(adapter: Adapter, [, racers, expected]: RaceStep): Promise<void> {
  const after = `${RACE_CALLS} concurrent calls`
  const calls = Array.from({ length: RACE_CALLS / racers.length }, () => racers).flat()
  const outcomes = await together(
    calls.map(([call, ...checks]) => async () => {
      await runSteps(adapter, [call])
      return checks
    }),
  )
  const winners = succeeded(outcomes)
  const count = winners.length
  const least = { 'exactly one': 1, 'at least one': 1, all: RACE_CALLS }[expected]
  if (count < least || (expected === 'exactly one' && count > 1)) {
    const failed = outcomes.find(({ status }) => status === 'rejected')
    const got = expected === 'exactly one' ? count : failed
    fail(`${calls[0]?.[0][0]}, ${after}`, `${expected} to succeed`, got)
  }
  const checks = await together(winners.map((steps) => () => runSteps(adapter, steps, { after })))
  const [failed] = checks
  if (failed?.status === 'rejected' && succeeded(checks).length === 0) throw failed.reason
}

async function runCall(
  adapter: Adapter,
  [method, args, expected]: Call,
  { what, report }: { readonly what: string; readonly report: Report },
): Promise<void> {
  const called = adapter[method]
  if (!called) throw new Mismatch(`transaction: the adapter passed to its work has no ${method}.`)
  let got: unknown
  try {
    got = await (called as (...given: unknown[]) => unknown).apply(adapter, [...args])
  } catch (error) {
    if (expected === 'preferably no error')
      report(`${what}: it should not throw (${String(error)}).`)
    else if (expected !== 'an error') fail(what, 'no error', error)
    return
  }
  if (expected === 'an error') fail(what, expected, got)
  const isPlain = expected === null || typeof expected === 'boolean'
  if (isPlain && got !== expected) fail(what, String(expected), got)
  const isOmitted = MAY_RETURN_NOTHING.has(method) && (got ?? null) === null
  if (typeof expected === 'object' && !isOmitted) expectMatch(what, got, expected)
}

export async function runSteps(
  adapter: Adapter,
  steps: readonly Step[],
  { after = '', report = () => undefined }: { after?: string; report?: Report } = {},
): Promise<void> {
  let written = after
  for (const step of steps) {
    if (step[0] === 'transaction') await runTransaction(adapter, step)
    else if (step[0] === 'race') await runRace(adapter, step)
    else {
      const call = `${step[0]}(${step[1].map(show).join(', ')})`
      await runCall(adapter, step, { what: written ? `${call} after ${written}` : call, report })
    }
    if (!/^(?:get|list|read)/.test(step[0])) written = step[0]
  }
}

export function listMethods(steps: readonly Step[]): Method[] {
  const methods = steps.flatMap((step): Method[] => {
    if (step[0] === 'race') return listMethods(step[1].flat())
    return step[0] === 'transaction' ? ['transaction', ...listMethods(step[1])] : [step[0]]
  })
  return [...new Set(methods)]
}

/** Tested by a function. `listNeeds` is lazy, because Workers do not generate ids while a module loads. */
export function adapterCase<Name extends Method>(
  name: string,
  listNeeds: () => readonly Name[],
  body: (adapter: Having<Name>, report: Report) => Promise<void>,
): AdapterCase {
  return {
    name,
    get needs() {
      return listNeeds()
    },
    async run(adapter, report = console.warn) {
      const needs = listNeeds()
      if (!hasMethods(adapter, needs))
        throw new Error(`The adapter has no ${missingMethods(adapter, needs).join(', ')}.`)
      try {
        await body(adapter, report)
      } catch (error) {
        if (error instanceof Mismatch) throw error
        // Errors of a database do not contain the name of the method.
        throw new Error(`${name}: the adapter threw ${String(error)}.`, { cause: error })
      }
    },
  }
}

export async function createUsers(
  adapter: Having<'createUser'>,
  count: number,
): Promise<AdapterUser[]> {
  const users: AdapterUser[] = []
  while (users.length < count) users.push(await adapter.createUser(newUser()))
  return users
}

/** Requirements that are tested by calls, by name, and the number of users that exist before. */
export function stepCases(
  users: 0 | 2,
  table: Readonly<Record<string, (rows: Rows) => readonly Step[]>>,
): AdapterCase[] {
  const seeds = users ? (['createUser'] as const) : []
  return Object.entries(table).map(([name, stepsFor]) =>
    adapterCase(
      name,
      () => [...new Set([...seeds, ...listMethods(stepsFor(newRows()))])],
      async (adapter, report) => {
        const rows = newRows(await createUsers(adapter, users))
        await runSteps(adapter, stepsFor(rows), { after: seeds[0], report })
      },
    ),
  )
}
