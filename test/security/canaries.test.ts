import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Fault } from '../faults/faults.ts'
import { faultsOf } from '../faults/faults.ts'
import { emailFlows, firstSignIns, sessionFlows, signIns } from '../faults/flows.ts'
import type { Flow } from '../faults/flows.ts'
import type { CallName, Plan } from '../faults/recorder.ts'
import type { Strategy } from '../faults/site.ts'
import { stopClock } from '../sessions.ts'
import { logSinks, METHODS } from './canaries.ts'
import type { CapturedLog } from './canaries.ts'
import { CANARIES, found, canarySite, spellings } from './canary-site.ts'
import type { CanaryName, CanaryValues } from './canary-site.ts'

const flows = [...firstSignIns, ...signIns, ...emailFlows, ...sessionFlows]
const cases = flows.flatMap((flow) =>
  (['jwt', 'database'] as const).map((strategy) => ({ name: flow.name, strategy, flow })),
)

/** Faults that come with an error which repeats what the call was told. */
const LOUD = new Set(['rejects', 'works, and its answer is lost'])

/** What a callback, an adapter, a mailer or a fetch is told, so that its error can repeat it. */
const TOLD: readonly CanaryName[] = CANARIES.filter(
  (name) =>
    !['client secret', 'secret of the site', 'state', 'nonce', 'transaction cookie'].includes(name),
)

const travelled = new Set<CanaryName>()
const repeated = new Set<CanaryName>()

beforeEach(() => {
  stopClock()
  for (const method of METHODS) vi.spyOn(console, method).mockImplementation(() => undefined)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** What a flow left in the log, and what was there to be left. */
interface Trace {
  readonly captured: string
  readonly seen: CanaryValues
  readonly calls: readonly CallName[]
}

interface Setting {
  readonly flow: Flow
  readonly strategy: Strategy
  readonly listen: () => CapturedLog
}

/** Goes through a flow, with a fault or without, and once more. */
async function follow({ flow, strategy, listen }: Setting, plan?: Plan): Promise<Trace> {
  vi.restoreAllMocks()
  for (const method of METHODS) vi.spyOn(console, method).mockImplementation(() => undefined)
  const captured = listen()
  const { site, seen } = canarySite(strategy, captured.logger)
  const { recorder } = site
  const tab = site.open()
  if (flow.prepare) await recorder.drive(flow.prepare(site, tab))
  recorder.start(plan)
  await recorder.drive(flow.act(tab, site))
  const calls = [...recorder.calls]
  recorder.start()
  await recorder.drive(flow.act(tab, site))
  await recorder.drive(tab.session())
  return { captured: captured.text(), seen, calls }
}

/** The same fault, and the errors it throws. */
function collectErrors(fault: Fault, texts: string[]): Fault {
  return {
    ...fault,
    async happen(genuine, args) {
      try {
        return await fault.happen(genuine, args)
      } catch (error) {
        texts.push(String(error))
        throw error
      }
    },
  }
}

describe.each(Object.entries(logSinks))('%s', (_sink, listen) => {
  test.each(cases)(
    'receives no secret of $name, $strategy sessions',
    async ({ flow, strategy }) => {
      const setting = { flow, strategy, listen }
      const peace = await follow(setting)
      for (const name of peace.seen.keys()) travelled.add(name)
      expect(found(peace.captured, peace.seen)).toEqual([])
      expect(peace.captured).toContain('request answered')
      const leaks: string[] = []
      for (const call of new Set(peace.calls))
        for (const fault of faultsOf(call).filter(({ name }) => LOUD.has(name))) {
          const texts: string[] = []
          const { captured, seen } = await follow(setting, {
            call,
            fault: collectErrors(fault, texts),
          })
          expect(texts).toHaveLength(1)
          for (const name of found(texts.join('\n'), seen)) repeated.add(name)
          leaks.push(...found(captured, seen).map((name) => `${call} ${fault.name}: ${name}`))
        }
      expect(leaks).toEqual([])
    },
  )
})

describe('the test itself', () => {
  test('observes every secret in transit', () => {
    expect(CANARIES.filter((name) => !travelled.has(name))).toEqual([])
  })

  test('receives errors that repeat every secret of the arguments', () => {
    expect(TOLD.filter((name) => !repeated.has(name))).toEqual([])
  })

  test.each(CANARIES)('finds the %s in every encoding', (name) => {
    const value = `"canary" for /${name}/ ü & co`
    const seen: CanaryValues = new Map([[name, new Set([value])]])
    for (const spelling of spellings(value)) expect(found(`<${spelling}>`, seen)).toEqual([name])
    expect(found('canary', seen)).toEqual([])
  })
})
