/** Runs one fault in one flow, and checks the response, the rows and the logs. */
import { vi } from 'vitest'
import type { Browser } from '../../../src/testing/index.ts'
import { logged } from '../../oauth.ts'
import { SESSION, stopClock } from '../../sessions.ts'
import type { Flow } from './flows.ts'
import type { CallName, Plan } from './recorder.ts'
import { siteWith } from './site.ts'
import type { AdapterKind, Site, Strategy } from './site.ts'

/** Where a flow runs. */
export interface Place {
  readonly flow: Flow
  readonly strategy: Strategy
  readonly adapterKind: AdapterKind
}

/** The response to the user, and every violated expectation. */
export interface Result {
  /** `done`, or the error in the response: `TemporarilyUnavailable`. */
  readonly answer: string
  readonly problems: readonly string[]
}

/** Timeout of each party, in milliseconds. */
const BUDGETS: readonly (readonly [string, number])[] = [
  ['adapter.transaction', 10_000],
  ['adapter.', 5_000],
  ['fetch ', 5_000],
  ['event.', 1_000],
  ['', 10_000],
]
/** Milliseconds for a whole request. */
const WHOLE_REQUEST = 15_000
/** What a second request to a provider, or waiting for another tab, may add. */
const SLACK = 1_000

async function open({ flow, strategy, adapterKind }: Place): Promise<{ site: Site; tab: Browser }> {
  stopClock()
  const site = siteWith(strategy, adapterKind)
  const tab = site.open()
  await site.recorder.drive((flow.prepare ?? (async () => undefined))(site, tab))
  return { site, tab }
}

/** Records the calls of a flow without faults. */
export async function record(place: Place): Promise<readonly CallName[]> {
  const { site, tab } = await open(place)
  const { recorder } = site
  recorder.start()
  const response = await recorder.drive(place.flow.act(tab, site))
  const calls = [...recorder.calls]
  const isDone = place.flow.isDone(response, site)
  const problems = isDone ? await finish(place, { site, tab }) : ['it is rejected']
  vi.useRealTimers()
  if (problems.length > 0) throw new Error(`${place.flow.name}: ${problems.join('; ')}`)
  return calls
}

async function answerOf(response: Response): Promise<string> {
  const location = response.headers.get('location')
  if (location !== null) {
    const { href, searchParams } = new URL(location)
    return searchParams.get('error') ?? (href === 'https://app.test/' ? 'home' : `to ${location}`)
  }
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  const error: unknown =
    typeof body === 'object' && body && 'error' in body ? body.error : undefined
  return `${response.status} ${typeof error === 'string' ? error : ''}`.trim()
}

async function checkAnswer(response: Response, site: Site): Promise<string[]> {
  const { status, headers } = response
  const text = await response.clone().text()
  const problems: string[] = []
  if (status >= 500 && status !== 503) problems.push(`status ${status}`)
  if (status === 503 && !headers.has('retry-after')) problems.push('503 without Retry-After')
  if (/^\s+at /m.test(text) || /refused with|connection lost/.test(text))
    problems.push('the response contains internal details')
  if (status >= 400 && site.log.errors.length === 0) problems.push('nothing was logged')
  return problems
}

async function checkRows({ flow }: Place, { rows }: Site, tab: Browser): Promise<string[]> {
  const { users, accounts } = await rows.read()
  const isResumable = tab.cookies.all().some(({ name }) => name.endsWith('lib.resume'))
  const owners = new Set(accounts.map(({ userId }) => userId))
  const left = flow.needsAccount && !isResumable ? users.filter(({ id }) => !owners.has(id)) : []
  return left.length > (flow.keepsSession ? 1 : 0) ? ['a user without an account'] : []
}

interface Ending {
  readonly site: Site
  readonly tab: Browser
}

/** Checks the state after success. */
async function finish({ flow }: Place, { site, tab }: Ending): Promise<string[]> {
  const problems: string[] = []
  try {
    await site.recorder.drive(flow.outcome(tab, site))
  } catch (error) {
    problems.push(`the outcome is another one: ${String(error).split('\n')[0]}`)
  }
  const expected = flow.rows(site)
  const { users, accounts, sessions } = await site.rows.read()
  if (users.length !== expected.users) problems.push(`${users.length} users`)
  if (accounts.length !== expected.accounts) problems.push(`${accounts.length} accounts`)
  const wanted = site.strategy === 'database' ? expected.sessions : 0
  // A session whose creation was not confirmed expires, because no browser has its cookie.
  const isRight = wanted === 0 ? sessions.length === 0 : sessions.length >= wanted
  if (!isRight) problems.push(`${sessions.length} sessions`)
  return problems
}

/** Repeats the action without a fault. */
async function repeat(place: Place, site: Site, tab: Browser): Promise<string[]> {
  const { flow } = place
  const response = await site.recorder.drive(flow.act(tab, site))
  if (flow.isDone(response, site)) return finish(place, { site, tab })
  return [`the repeated action ends in ${await answerOf(response)}`]
}

/** Runs the flow with the fault, and repeats it without if it failed. */
export async function run(place: Place, plan: Plan): Promise<Result> {
  const { site, tab } = await open(place)
  const { flow } = place
  const { recorder } = site
  const held = tab.cookies.get(SESSION)?.value
  const start = Date.now()
  recorder.start(plan)
  const response = await recorder.drive(flow.act(tab, site))
  const problems: string[] = []
  if (!recorder.hit()) problems.push('the fault did not happen')
  const [, single = 0] = BUDGETS.find(([prefix]) => plan.call.startsWith(prefix)) ?? []
  const budget = plan.fault.lasts ? WHOLE_REQUEST : single
  const elapsed = Date.now() - start
  if (elapsed > budget + SLACK) problems.push(`it took ${elapsed} ms`)
  recorder.start()
  problems.push(...(await checkAnswer(response, site)), ...(await checkRows(place, site, tab)))
  const answer = flow.isDone(response, site) ? 'done' : await answerOf(response)
  if (flow.keepsSession && held !== undefined && !tab.cookies.get(SESSION))
    problems.push('the session is gone')
  // The redirect callback failed, so the browser is at the start page: signed in or out as expected.
  const isDone =
    answer === 'done' || (answer === 'home' && plan.call.startsWith('callback.redirect'))
  const hasEnded = isDone && (flow.hasEnded?.(site) ?? true)
  problems.push(...(await (hasEnded ? finish(place, { site, tab }) : repeat(place, site, tab))))
  problems.push(...logged(site.log, site.secrets).map(() => 'a secret in the log'))
  vi.useRealTimers()
  return { answer, problems }
}
