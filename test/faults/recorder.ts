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

/** Everything that stands between the library and the rest of the world. */
export interface Recorder {
  /** Names of the calls since {@link Recorder.start}, in their order. */
  readonly calls: CallName[]
  /** Whether the planned fault has happened. */
  readonly hit: () => boolean
  /** Clears the recorded calls, and plans a fault. */
  start(plan?: Plan): void
  /** The same function, watched. */
  watch<Args extends unknown[], Answer>(
    name: string,
    work: (...args: Args) => Answer,
  ): (...args: Args) => Answer
  /** The same object with every method watched; what it does not have stays away. */
  watchAll<T extends object>(party: string, target: T): T
  /** Settles when `work` does; time passes only where nothing else happens. */
  drive<T>(work: Promise<T>): Promise<T>
}

/** Turns of the event loop without any work before time passes. */
const QUIET_TURNS = 6
/** Milliseconds of real time after which an answer is not going to come. */
const PATIENCE = 15_000

/** Who is called: `adapter`. */
const partyOf = (call: CallName): string => call.split(/[. ]/)[0] ?? ''

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

/** A recorder; timers and the date have to be fake. */
export function recorder(): Recorder {
  const calls: CallName[] = []
  const counts = new Map<string, number>()
  let plan: Plan | undefined
  let isHit = false
  /** Calls that do real work, for which real time has to pass. */
  let busy = 0

  async function working<T>(name: string, work: Promise<T>): Promise<T> {
    // What a transaction waits for is watched itself.
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

  function watch<Args extends unknown[], Answer>(
    name: string,
    work: (...args: Args) => Answer,
  ): (...args: Args) => Answer {
    return (...args) => {
      const call = nameOf(name)
      calls.push(call)
      const genuine = (): Answer => {
        const answer = work(...args)
        return answer instanceof Promise ? (working(name, answer) as Answer) : answer
      }
      const isLasting = isHit && plan?.fault.lasts && partyOf(plan.call) === partyOf(call)
      if (plan === undefined || (plan.call !== call && !isLasting)) return genuine()
      isHit = true
      return plan.fault.happen(genuine, args) as Answer
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
    watch,
    watchAll: <T extends object>(party: string, target: T) =>
      new Proxy(target, {
        get(object, key): unknown {
          const value: unknown = Reflect.get(object, key)
          return typeof value === 'function'
            ? watch(
                `${party}.${String(key)}`,
                value.bind(object) as (...args: unknown[]) => unknown,
              )
            : value
        },
      }),
    async drive(work) {
      const state = { isDone: false }
      const over = () => void (state.isDone = true)
      void work.then(over, over)
      const start = performance.now()
      for (let quiet = 0; !state.isDone; quiet++) {
        await turn()
        if (busy > 0) quiet = 0
        if (quiet < QUIET_TURNS || vi.getTimerCount() === 0) {
          if (performance.now() - start > PATIENCE) throw new Error('There is no answer.')
          continue
        }
        quiet = 0
        await vi.advanceTimersToNextTimerAsync()
      }
      return work
    },
  }
}
