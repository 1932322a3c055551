import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Fault } from '../core/faults/faults.ts'
import { faultsOf } from '../core/faults/faults.ts'
import { emailFlows, firstSignIns, sessionFlows, signIns } from '../core/faults/flows.ts'
import type { Flow } from '../core/faults/flows.ts'
import type { CallName, Plan } from '../core/faults/recorder.ts'
import type { Strategy } from '../core/faults/site.ts'
import { stopClock } from '../sessions.ts'
import { logSinks, METHODS } from './canaries.ts'
import type { CapturedLog } from './canaries.ts'
import { CANARIES, found, canarySite, spellings } from './canary-site.ts'
import type { CanaryName, CanaryValues } from './canary-site.ts'

const flows = [...firstSignIns, ...signIns, ...emailFlows, ...sessionFlows]
const cases = flows.flatMap((flow) =>
  (['jwt', 'database'] as const).map((strategy) => ({ name: flow.name, strategy, flow })),
)

/** Faults whose error repeats the arguments of the call. */
const QUOTING = new Set(['rejects', 'succeeds, and its response is lost'])

/** Secrets in the arguments of a callback, an adapter, a mailer or fetch. */
const IN_ARGUMENTS: readonly CanaryName[] = CANARIES.filter(
  (name) =>
    !['client secret', 'secret of the site', 'state', 'nonce', 'transaction cookie'].includes(name),
)

const observed = new Set<CanaryName>()
const repeated = new Set<CanaryName>()

beforeEach(() => {
  stopClock()
  for (const method of METHODS) vi.spyOn(console, method).mockImplementation(() => undefined)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** The captured log of a flow, and the secrets that were observed. */
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

/** Runs a flow with or without a fault, and repeats it. */
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

/** The fault, with its errors collected in `texts`. */
function collectErrors(fault: Fault, texts: string[]): Fault {
  return {
    ...fault,
    async happen(original, args) {
      try {
        return await fault.happen(original, args)
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
      const baseline = await follow(setting)
      for (const name of baseline.seen.keys()) observed.add(name)
      expect(found(baseline.captured, baseline.seen)).toEqual([])
      expect(baseline.captured).toContain('request answered')
      const leaks: string[] = []
      for (const call of new Set(baseline.calls))
        for (const fault of faultsOf(call).filter(({ name }) => QUOTING.has(name))) {
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
    expect(CANARIES.filter((name) => !observed.has(name))).toEqual([])
  })

  test('receives errors that repeat every secret of the arguments', () => {
    expect(IN_ARGUMENTS.filter((name) => !repeated.has(name))).toEqual([])
  })

  test.each(CANARIES)('finds the %s in every encoding', (name) => {
    const value = `"canary" for /${name}/ ü & co`
    const seen: CanaryValues = new Map([[name, new Set([value])]])
    for (const spelling of spellings(value)) expect(found(`<${spelling}>`, seen)).toEqual([name])
    expect(found('canary', seen)).toEqual([])
  })
})
