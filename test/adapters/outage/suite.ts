/** Tests every call of every action, with every outage of the database before the call. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { Adapter } from '../../../src/adapters/index.ts'
import { logged } from '../../oauth.ts'
import { SESSION } from '../../sessions.ts'
import { ACTIONS } from './actions.ts'
import type { Action } from './actions.ts'
import { withClock } from './clock.ts'
import type { Clock } from './clock.ts'
import { visitor } from './visitor.ts'
import type { Stored, Visitor } from './visitor.ts'

/** A database and its rows, read without the library. */
export interface Backend {
  /** An adapter for one user. */
  open(): Promise<Adapter> | Adapter
  stored(visitor: Visitor): Promise<Stored>
  /** Number of accounts and sessions without a user. */
  orphans(): Promise<number>
}

/** A failure of the database. */
export interface Outage {
  readonly name: string
  begin(): Promise<unknown>
  end(): Promise<unknown>
  /** Whether a call of this method fails if the outage began before the call `before`. */
  readonly stops: (method: string, before: string) => boolean
  /** It does not respond: every caller waits until its timeout, and time can pass fast. */
  readonly isSilent?: true
}

/** Calls that fail while the database is read-only, or full: deletions need no space. */
export const isWrite = (method: string): boolean => !/^(?:get|list)/.test(method)
export const isGrowth = (method: string): boolean => /^(?:create|link)/.test(method)
export const isAny = (): boolean => true

/** A call of an action. */
interface Cell {
  readonly action: Action
  readonly number: number
  readonly call: string
  /** This call and the later ones. */
  readonly rest: readonly string[]
}

/** The response to the user, and the problems found. */
interface Result {
  readonly answer: string
  readonly problems: readonly string[]
}

/** Timeout of a request in an outage, and the allowance for two requests of one action, in milliseconds. */
const LONGEST = 16_000
/** Speed of time while a call waits for its timeout, and while other work may be pending. */
const FASTEST = 24
const FAST = 6
/** Best-effort writes, which do not change the response, and limits, for which the memory of the process stands in. */
const BEST_EFFORT = new Set([
  'updateAccount',
  'updateSession',
  'readRecords',
  'writeRecord',
  'take',
])

async function openVisitor(backend: Backend, { session, prepare }: Action): Promise<Visitor> {
  const user = visitor(await backend.open(), session)
  await prepare?.(user)
  return user
}

/** Every call of every action. */
async function cellsOf(backend: Backend): Promise<Cell[]> {
  const cells: Cell[] = []
  for (const action of ACTIONS) {
    const user = await openVisitor(backend, action)
    user.watch()
    const response = await action.act(user)
    const calls = [...user.calls]
    const problems = action.isDone(response)
      ? await checkOutcome(backend, action, user)
      : ['refused']
    if (problems.length > 0) throw new Error(`${action.name}: ${problems.join('; ')}`)
    for (const [index, call] of calls.entries())
      cells.push({ action, number: index + 1, call, rest: calls.slice(index) })
  }
  return cells
}

async function answerOf(response: Response): Promise<string> {
  const location = response.headers.get('location')
  if (location !== null) return new URL(location).searchParams.get('error') ?? location
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  const error: unknown =
    typeof body === 'object' && body && 'error' in body ? body.error : undefined
  return `${response.status} ${typeof error === 'string' ? error : ''}`.trim()
}

/** Problems after a successful action. */
async function checkOutcome(backend: Backend, action: Action, user: Visitor): Promise<string[]> {
  const problems: string[] = []
  try {
    await action.outcome(user)
  } catch (error) {
    problems.push(`unexpected outcome: ${String(error).split('\n')[0]}`)
  }
  const { users, accounts, sessions } = await backend.stored(user)
  const { stored } = action
  if (users !== stored.users) problems.push(`${users} users`)
  if (accounts !== stored.accounts) problems.push(`${accounts} accounts`)
  const isExpected = stored.sessions === 0 ? sessions === 0 : sessions >= stored.sessions
  if (!isExpected) problems.push(`${sessions} sessions`)
  return problems
}

function checkLog({ log, secrets }: Visitor): string[] {
  return logged(log, secrets).map(() => 'a secret in the log')
}

/** The outage changes no sign-in state and leaves no partial user. */
async function checkMeanwhile(
  backend: Backend,
  { action, held, user }: { action: Action; held: string | undefined; user: Visitor },
): Promise<string[]> {
  const problems: string[] = []
  if (user.tab.cookies.get(SESSION)?.value !== held) problems.push('the session cookie changed')
  const { users, accounts } = await backend.stored(user)
  if (users > 1) problems.push(`${users} users`)
  if (users > accounts && action.stored.accounts > 0) problems.push('a user without an account')
  return problems
}

interface Waiting {
  readonly cell: Cell
  readonly user: Visitor
  readonly held: string | undefined
  readonly answer: Promise<{ readonly response: Response; readonly at: number }>
}

/** Begins the action, up to the call. */
async function begin(backend: Backend, cell: Cell, gate: Promise<void>): Promise<Waiting> {
  const user = await openVisitor(backend, cell.action)
  const held = user.tab.cookies.get(SESSION)?.value
  let answer: Waiting['answer'] | undefined
  await new Promise<void>((resolve, reject) => {
    user.watch(cell.number, () => {
      resolve()
      return gate
    })
    answer = cell.action.act(user).then((response) => ({ response, at: Date.now() }))
    answer.then(() => reject(new Error(`${cell.action.name} makes fewer calls.`)), reject)
  })
  if (!answer) throw new Error('The action did not begin.')
  return { cell, user, held, answer }
}

/** All visitors wait for the same outage, and retry after it. */
async function runAll(
  backend: Backend,
  cells: readonly Cell[],
  outage: Outage,
  clock: Clock,
): Promise<ReadonlyMap<Cell, Result>> {
  const open: (() => void)[] = []
  const gate = new Promise<void>((resolve) => open.push(resolve))
  const waiting: Waiting[] = []
  for (const cell of cells) waiting.push(await begin(backend, cell, gate))
  await outage.begin()
  clock.speed = outage.isSilent ? FASTEST : FAST
  const start = Date.now()
  for (const each of open) each()
  const answers = await Promise.all(waiting.map(({ answer }) => answer))
  clock.speed = 1
  await outage.end()
  const results = new Map<Cell, Result>()
  for (const [index, { cell, user, held }] of waiting.entries()) {
    const { action } = cell
    const { response, at } = answers[index] ?? { response: Response.error(), at: Infinity }
    user.watch()
    const problems: string[] = []
    if (at - start > LONGEST) problems.push(`it took ${at - start} ms`)
    const answer = action.isDone(response) ? 'done' : await answerOf(response)
    const isRefused = answer !== 'done'
    if (isRefused && user.log.errors.length === 0) problems.push('nothing was logged')
    if (isRefused) problems.push(...(await checkMeanwhile(backend, { action, held, user })))
    const last = isRefused ? await action.act(user) : response
    problems.push(
      ...(action.isDone(last)
        ? await checkOutcome(backend, action, user)
        : [`the second attempt ends in ${await answerOf(last)}`]),
      ...checkLog(user),
    )
    results.set(cell, { answer, problems })
  }

  return results
}

/** Tests for each call of each action, with each outage. */
export async function testOutages(backend: Backend, outages: readonly Outage[]): Promise<void> {
  const cells = await cellsOf(backend)
  describe.each(outages)('a database that $name', (outage) => {
    const results = new Map<Cell, Result>()

    beforeAll(async () => {
      const all = await withClock((clock) => runAll(backend, cells, outage, clock))
      for (const [cell, result] of all) results.set(cell, result)
    })

    test.each(cells)('handles the outage before call $number of $action.name: $call', (cell) => {
      const isStopped = cell.rest.some(
        (call) => !BEST_EFFORT.has(call) && outage.stops(call, cell.call),
      )
      const canCheck = !outage.stops('getSessionAndUser', cell.call)
      const isSettled = canCheck && cell.number >= (cell.action.settledBefore ?? Infinity)
      const answer = isStopped && !isSettled ? cell.action.refusal : 'done'
      expect(results.get(cell)).toEqual({ answer, problems: [] })
    })

    test('leaves no account and no session without its user', async () => {
      expect(await backend.orphans()).toBe(0)
    })
  })
}
