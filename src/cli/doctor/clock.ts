/** Compares the clock of this machine with those of the servers that were asked. */
import type { Fetch } from '../../types.ts'
import { topic } from './finding.ts'
import type { Finding } from './finding.ts'

/** Seconds by which the clocks may differ: ID tokens issued further in the future are rejected. */
const CLOCK_TOLERANCE = 60

export interface Clock {
  watch(fetcher: Fetch): Fetch
  check(): Generator<Finding>
}

export function createClock(): Clock {
  /** By host, the seconds by which this machine is ahead. */
  const offsets = new Map<string, number>()
  return {
    watch: (fetcher) => async (input, init) => {
      const start = Date.now()
      const response = await fetcher(input, init)
      const date = Date.parse(response.headers.get('date') ?? '')
      const age = Number(response.headers.get('age') ?? 0)
      const { host } = new URL(input instanceof Request ? input.url : input)
      const ahead = Math.round(((start + Date.now()) / 2 - date) / 1000 - age)
      if (!Number.isNaN(ahead)) offsets.set(host, ahead)
      return response
    },
    *check() {
      const { ok, warning, error } = topic('clock')
      const wrong = [...offsets].filter(([, ahead]) => Math.abs(ahead) > CLOCK_TOLERANCE)
      const list = wrong.map(
        ([host, ahead]) =>
          `${Math.abs(ahead)} seconds ${ahead > 0 ? 'ahead of' : 'behind'} ${host}`,
      )
      // If all others differ, the clock of this machine is wrong.
      const report = wrong.length < offsets.size ? warning : error
      if (wrong.length > 0)
        yield report`this machine is ${list.join(', ')}; sign-ins fail above ${CLOCK_TOLERANCE} seconds. → Set the clock that is wrong, on Linux: timedatectl set-ntp true`
      else if (offsets.size > 0)
        yield ok`this machine agrees with ${[...offsets.keys()].join(', ')}.`
    },
  }
}
