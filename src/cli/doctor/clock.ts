/** Compares the clock of this machine with those of the servers that were asked. */
import type { Fetch } from '../../types.ts'
import { topic } from './finding.ts'
import type { Finding } from './finding.ts'
import type { Subject } from './subject.ts'

/** Seconds by which the clocks may differ: ID tokens issued further in the future are rejected. */
const CLOCK_TOLERANCE = 60

/** Notes by how many seconds this machine is ahead of the server of each response. */
export function measured(fetcher: Fetch, { offsets }: Subject): Fetch {
  return async (input, init) => {
    const response = await fetcher(input, init)
    const date = Date.parse(response.headers.get('date') ?? '')
    const age = Number(response.headers.get('age') ?? 0)
    const { host } = new URL(input instanceof Request ? input.url : input)
    if (!Number.isNaN(date)) offsets.set(host, Math.round((Date.now() - date) / 1000 - age))
    return response
  }
}

export function* checkClock({ offsets }: Subject): Generator<Finding> {
  for (const [host, ahead] of offsets)
    if (Math.abs(ahead) > CLOCK_TOLERANCE)
      yield topic('clock')
        .error`this machine is ${Math.abs(ahead)} seconds ${ahead > 0 ? 'ahead of' : 'behind'} ${host}; sign-ins fail above ${CLOCK_TOLERANCE} seconds. → Set the clock that is wrong, on Linux: timedatectl set-ntp true`
}
