/** Records every call that leaves the library, and injects a fault into one of them. */
import { vi } from 'vitest'
import type { Fault } from './faults.ts'

/** A call that leaves the library, once per action: `adapter.createUser`, and `adapter.createUser (2)`. */
export type CallName = string

/** The fault, and the call. */
export interface Plan {
  readonly call: CallName
  readonly fault: Fault
}

/** Records and intercepts the calls that leave the library. */
export interface Recorder {
  /** Names of the calls since {@link Recorder.start}, in their order. */
  readonly calls: CallName[]
  /** Whether the planned fault has happened. */
  readonly hit: () => boolean
  /** Clears the recorded calls, and plans a fault. */
  start(plan?: Plan): void
  /** Wraps a function. */
  wrap<Args extends unknown[], Answer>(
    name: string,
    work: (...args: Args) => Answer,
  ): (...args: Args) => Answer
  /** Wraps every method of an object; missing methods stay missing. */
  wrapAll<T extends object>(party: string, target: T): T
  /** Settles with `work`; the fake clock advances only while nothing else is pending. */
  drive<T>(work: Promise<T>): Promise<T>
}

/** Idle turns of the event loop before the clock advances. */
const QUIET_TURNS = 6
/** Milliseconds of real time after which a flow counts as hanging. */
const PATIENCE = 15_000

/** The called party: `adapter`. */
const partyOf = (call: CallName): string => call.split(/[. ]/)[0] ?? ''

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

/** A recorder; timers and the date have to be fake. */
export function recorder(): Recorder {
  const calls: CallName[] = []
  const counts = new Map<string, number>()
  let plan: Plan | undefined
  let isHit = false
  /** Number of pending calls that need real time. */
  let busy = 0

  async function working<T>(name: string, work: Promise<T>): Promise<T> {
    // The calls within a transaction are counted themselves.
    const weight = name === 'adapter.transaction' ? 0 : 1
    busy += weight
    try {
      return await work
    } finally {
      busy -= weight
    }
  }

  function nameOf(name: string): CallName {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count === 1 ? name : `${name} (${count})`
  }

  function wrap<Args extends unknown[], Answer>(
    name: string,
    work: (...args: Args) => Answer,
  ): (...args: Args) => Answer {
    return (...args) => {
      const call = nameOf(name)
      calls.push(call)
      const original = (): Answer => {
        const answer = work(...args)
        return answer instanceof Promise ? (working(name, answer) as Answer) : answer
      }
      const isLasting = isHit && plan?.fault.lasts && partyOf(plan.call) === partyOf(call)
      if (plan === undefined || (plan.call !== call && !isLasting)) return original()
      isHit = true
      return plan.fault.happen(original, args) as Answer
    }
  }

  return {
    calls,
    hit: () => isHit,
    start(next) {
      plan = next
      isHit = false
      calls.length = 0
      counts.clear()
    },
    wrap,
    wrapAll: <T extends object>(party: string, target: T) =>
      new Proxy(target, {
        get(object, key): unknown {
          const value: unknown = Reflect.get(object, key)
          return typeof value === 'function'
            ? wrap(`${party}.${String(key)}`, value.bind(object) as (...args: unknown[]) => unknown)
            : value
        },
      }),
    async drive(work) {
      const state = { isDone: false }
      const settle = () => void (state.isDone = true)
      void work.then(settle, settle)
      const start = performance.now()
      for (let quiet = 0; !state.isDone; quiet++) {
        await turn()
        if (busy > 0) quiet = 0
        if (quiet < QUIET_TURNS || vi.getTimerCount() === 0) {
          if (performance.now() - start > PATIENCE) throw new Error('There is no response.')
          continue
        }
        quiet = 0
        await vi.advanceTimersToNextTimerAsync()
      }
      return work
    },
  }
}
