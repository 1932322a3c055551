/** Defines the tests: every call of every flow, with every fault. */
import { describe, expect, test } from 'vitest'
import { record, run } from './cell.ts'
import type { Place } from './cell.ts'
import { answersTo, describePlan, EXCEPTIONS, exceptionFor } from './expected.ts'
import type { Exception } from './expected.ts'
import { faultsOf } from './faults.ts'
import type { Flow } from './flows.ts'
import type { Plan } from './recorder.ts'

const STRATEGIES = ['jwt', 'database'] as const
const ADAPTERS = ['whole', 'minimal'] as const

/** Violated expectations that are not exceptions. */
async function unexpected(place: Place, plan: Plan, needed: Set<Exception>): Promise<string[]> {
  const { answer, problems } = await run(place, plan)
  const found = answersTo(place, plan).includes(answer) ? [] : [`the response is ${answer}`]
  for (const problem of problems) {
    const exception = exceptionFor(place, plan, problem)
    if (exception) needed.add(exception)
    else found.push(problem)
  }
  return found.map((problem) => `${plan.fault.name}: ${problem}`)
}

/** Whether an exception applies to one of these cells. */
function isAbout({ cells }: Exception, plans: readonly (readonly [Place, Plan])[]): boolean {
  return plans.some(([place, plan]) => cells.test(describePlan(plan, place)))
}

/** Tests for each call of these flows, with both strategies and both kinds of adapters. */
export function faultTests(flows: readonly Flow[]): void {
  const needed = new Set<Exception>()
  const plans: (readonly [Place, Plan])[] = []
  for (const flow of flows)
    for (const strategy of STRATEGIES)
      for (const adapterKind of ADAPTERS) {
        const place = { flow, strategy, adapterKind }
        const title = `${flow.name}, ${strategy} sessions, ${adapterKind} adapter`
        describe(title, async () => {
          const calls = await record(place)
          test.each(calls)('recovers from every fault of %s', async (call) => {
            const found: string[] = []
            for (const fault of faultsOf(call)) {
              plans.push([place, { call, fault }])
              found.push(...(await unexpected(place, { call, fault }, needed)))
            }
            expect(found).toEqual([])
          })
        })
      }
  test('needs every listed exception', () => {
    const idle = EXCEPTIONS.filter((each) => isAbout(each, plans) && !needed.has(each))
    expect(idle.map(({ reason }) => reason)).toEqual([])
  })
}
