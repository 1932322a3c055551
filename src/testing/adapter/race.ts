import type { Awaitable } from '../../core/types.ts'
import type { Adapter } from '../../core/database/adapter.ts'
import { RACE_CALLS } from './case.ts'
import { fail, together } from './expect.ts'

/**
 * Makes fifty concurrent calls, none of which may throw, and returns the index of the only one that does not return
 * `false` or `null`.
 */
export async function raceForOne(
  method: keyof Adapter,
  wanted: 'true' | 'the row',
  call: (index: number) => Awaitable<unknown>,
): Promise<number> {
  const what = `${method}, ${RACE_CALLS} concurrent calls`
  const calls = Array.from({ length: RACE_CALLS }, (_, index) => () => call(index))
  const outcomes = await together(calls)
  const failed = outcomes.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') fail(what, 'no error', failed.reason)
  const winners = outcomes.flatMap((outcome, index) =>
    outcome.status === 'fulfilled' && outcome.value ? [index] : [],
  )
  const [winner, ...others] = winners
  if (winner === undefined || others.length > 0)
    fail(what, `exactly one to return ${wanted}`, winners.length)
  return winner
}
