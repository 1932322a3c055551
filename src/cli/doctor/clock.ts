/** Whether the clock of this machine is right, as far as others can tell. */
import type { Fetch } from '../../types.ts'
import { topic } from './finding.ts'
import type { Finding } from './finding.ts'

/** How far a clock may be off, in seconds: what a provider signs may be that much from the future. */
const TOLERANCE = 60

interface Reading {
  readonly host: string
  /** How far this machine is ahead, in seconds. */
  readonly ahead: number
}

/** Collects what the clocks of others say. */
export interface Clock {
  /** A `fetch` that looks at the Date header of every answer. */
  watch(fetcher: Fetch): Fetch
  findings(): readonly Finding[]
}

/** Waits for clocks that are read. */
export function createClock(): Clock {
  const readings = new Map<string, Reading>()
  const read = (url: string, { headers }: Response, asked: number) => {
    const date = Date.parse(headers.get('date') ?? '')
    const age = Number(headers.get('age') ?? 0)
    if (Number.isNaN(date) || !(age >= 0)) return
    const now = (asked + Date.now()) / 2
    const { host } = new URL(url)
    readings.set(host, { host, ahead: Math.round((now - date) / 1000 - age) })
  }
  return {
    watch: (fetcher) => async (input, init) => {
      const asked = Date.now()
      const response = await fetcher(input, init)
      read(input instanceof Request ? input.url : String(input), response, asked)
      return response
    },
    findings: () => judge([...readings.values()]),
  }
}

function offset({ host, ahead }: Reading): string {
  return `${Math.abs(ahead)} seconds ${ahead > 0 ? 'ahead of' : 'behind'} ${host}`
}

/** When all others agree, it is this machine. */
function judge(readings: readonly Reading[]): readonly Finding[] {
  const about = topic('clock')
  const wrong = readings.filter(({ ahead }) => Math.abs(ahead) > TOLERANCE)
  if (readings.length === 0) return []
  if (wrong.length === 0)
    return [about.ok(`this machine agrees with ${readings.map(({ host }) => host).join(', ')}.`)]
  const what = `this machine is ${wrong.map(offset).join(', ')}; more than ${TOLERANCE} seconds make sign-ins fail.`
  const write = 'Set the clock where it is wrong: timedatectl set-ntp true on Linux.'
  return [wrong.length < readings.length ? about.warning(what, write) : about.error(what, write)]
}
