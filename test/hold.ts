/** Pauses one adapter call, so that a test can run other code during it (race conditions). */
import type { Adapter } from '../src/adapters/index.ts'
import type { RecordedAdapter } from './database.ts'

/** A call that is held. */
export interface HeldCall {
  /** Resolves when the call is made and waits. */
  readonly reached: Promise<void>
  /** Continues the call. */
  readonly release: () => void
}

interface Signal {
  readonly fired: Promise<void>
  readonly fire: () => void
}

function signal(): Signal {
  let fire = (): void => undefined
  const fired = new Promise<void>((resolve) => void (fire = resolve))
  return { fired, fire: () => fire() }
}

/**
 * Holds the next call of a method before or after it runs; later calls run as usual.
 */
export function hold(
  { faults }: Pick<RecordedAdapter, 'faults'>,
  method: keyof Adapter,
  moment: 'before' | 'after',
): HeldCall {
  const reached = signal()
  const released = signal()
  faults[method] = async (run) => {
    Reflect.deleteProperty(faults, method)
    const row = moment === 'after' ? await run() : undefined
    reached.fire()
    await released.fired
    return moment === 'after' ? row : run()
  }
  return { reached: reached.fired, release: released.fire }
}

/** Runs `other` while a call of `work` is held, then awaits `work`. */
export async function during<T>(
  held: HeldCall,
  work: Promise<T>,
  other: () => Promise<unknown>,
): Promise<T> {
  await Promise.race([
    held.reached,
    work.then(() => Promise.reject(new Error('The method to hold was not called.'))),
  ])
  await other()
  held.release()
  return work
}
