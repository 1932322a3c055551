/** A clock of our own: to wait for a server that is silent takes as long as it takes, and longer than tests may. */
import { vi } from 'vitest'

export interface Clock {
  /** Seconds in one second; it stands still at first. */
  speed: number
}

/** Milliseconds between two looks at it. */
const TICK = 20
/** Not the one that is replaced. */
const realTimeout = globalThis.setTimeout

/** Waits in real time, so that pending work can proceed. */
async function tick(): Promise<void> {
  await new Promise((resolve) => void realTimeout(resolve, TICK))
}

/** Does something while the date and all timers are those of a clock. */
export async function withClock<T>(work: (clock: Clock) => Promise<T>): Promise<T> {
  vi.useFakeTimers({
    toFake: ['Date', 'setTimeout', 'clearTimeout'],
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
