/** Each call of the adapter that a flow makes fails once. */
import { expect, test } from 'vitest'
import type { Adapter } from '../src/adapters/index.ts'
import MemoryAdapter from '../src/adapters/memory.ts'
import { down, lost } from './database.ts'
import { pass } from './sessions.ts'

type Fault = (run: () => Promise<unknown>) => unknown

/** An adapter of which one call fails. */
export interface FailingAdapter {
  readonly adapter: Adapter
  /** The same rows; no call fails. */
  readonly stored: Required<Adapter>
  /** From now on, calls are counted until one has failed, also those in a transaction. */
  readonly start: () => void
  /** No call fails from now on. */
  readonly stop: () => void
}

interface Attempt extends FailingAdapter {
  /** The method whose call has failed; `null`: there were fewer calls. */
  readonly failed: () => string | null
}

function failAt(at: number, fault: Fault): Attempt {
  const stored = MemoryAdapter()
  let left = Infinity
  let failed: string | null = null
  const wrap = (adapter: Adapter): Adapter =>
    new Proxy(adapter, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name)
        if (typeof method !== 'function') return method
        return async (...args: unknown[]) => {
          const run = async (): Promise<unknown> =>
            Reflect.apply(method, target, args.map(wrapWork))
          if (left-- !== 0) return run()
          failed = String(name)
          return fault(run)
        }
      },
    })
  /** The argument of `transaction`. */
  const wrapWork = (work: unknown): unknown =>
    typeof work === 'function'
      ? (inner: Adapter) => Reflect.apply(work, undefined, [wrap(inner)])
      : work
  return {
    adapter: wrap(stored),
    stored,
    start: () => void (left = at),
    stop: () => void (left = Infinity),
    failed: () => failed,
  }
}

const FAULTS: readonly (readonly [string, Fault])[] = [
  ['fails', down],
  ['succeeds, and its response is lost', lost],
]

/** Runs `run` with each call that it makes between `start` and `stop` as the one that fails. */
export function testEachCall(title: string, run: (failing: FailingAdapter) => Promise<void>): void {
  test.each(FAULTS)(`${title}, if a call of the adapter %s`, async (_what, fault) => {
    for (let at = 0; ; at++) {
      const attempt = failAt(at, fault)
      try {
        await run(attempt)
      } catch (error) {
        if (error instanceof Error)
          error.message = `Call ${at}, ${attempt.failed()}: ${error.message}`
        throw error
      }
      if (attempt.failed() !== null) continue
      expect(at).toBeGreaterThan(2)
      return
    }
  })
}

/** One way through a site, up to what the user does last. */
export interface FailingFlow {
  /** The response of a page, or what a function of the library returns. */
  readonly act: () => Promise<unknown>
  /** Checks what is left after an error. */
  readonly failed?: () => Promise<unknown>
  /** What the user does after an error. @default the same */
  readonly again?: () => Promise<unknown>
  /** Checks the result of what was reported as done. */
  readonly done: () => Promise<unknown>
}

/** `done`, or the error that the user sees: its type in a redirect, or its status. */
async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    const result = await work
    if (!(result instanceof Response)) return 'done'
    const { status, headers } = result
    const location = headers.get('location')
    const error = location === null ? null : new URL(location).searchParams.get('error')
    return error ?? (status < 400 ? 'done' : `${status}`)
  } catch (error) {
    if (error instanceof Error && 'status' in error) return String(error.status)
    throw error
  }
}

const OUTAGE = /^(?:503|SessionUnavailable|TemporarilyUnavailable)$/

/** Either the flow is done, or the user sees that a service failed, and repeats it. The clock is stopped. */
export function testFlow(
  title: string,
  open: (failing: FailingAdapter) => Promise<FailingFlow>,
): void {
  testEachCall(title, async (failing) => {
    const { act, failed, again = act, done } = await open(failing)
    failing.start()
    const outcome = await outcomeOf(act())
    failing.stop()
    if (outcome !== 'done') {
      expect(outcome).toMatch(OUTAGE)
      await failed?.()
      // A sign-in in the same millisecond in which sessions have ended is one of them.
      await pass(1)
      expect(await outcomeOf(again())).toBe('done')
    }
    await done()
  })
}
