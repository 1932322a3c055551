/** A clock that tests can speed up, so that they need not wait for timeouts in real time. */
import { vi } from 'vitest'

export interface Clock {
  /** Clock seconds per second; 0 at first. */
  speed: number
}

/** Milliseconds between two updates of the clock. */
const TICK = 20
/** The original, which the fake timers replace. */
const realTimeout = globalThis.setTimeout

/** Waits in real time, so that pending work can proceed. */
async function tick(): Promise<void> {
  await new Promise((resolve) => void realTimeout(resolve, TICK))
}

/** Runs `work` while the date and all timers follow a clock. */
export async function withClock<T>(work: (clock: Clock) => Promise<T>): Promise<T> {
  vi.useFakeTimers({
    toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'],
    shouldClearNativeTimers: true,
  })
  const clock = { speed: 0 }
  const state = { isDone: false }
  try {
    const result = work(clock).finally(() => (state.isDone = true))
    // The awaiting code receives the rejection.
    result.catch(() => undefined)
    while (!state.isDone) {
      await tick()
      if (clock.speed > 0) await vi.advanceTimersByTimeAsync(TICK * clock.speed)
    }
    return await result
  } finally {
    vi.useRealTimers()
  }
}
