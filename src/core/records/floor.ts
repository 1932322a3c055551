/** Up to when the sessions of a user have ended: the value of a record `before:<user>`. */

export interface Floor {
  /** Sessions that started then or earlier have ended; in milliseconds since the epoch. */
  readonly time: number
  /** When they were ended, by the clock of that process. */
  readonly at: number
  /** Sessions for which another time applies: that of an earlier call, which did not spare them. */
  readonly spared: ReadonlyMap<string, number>
}

/** A record has room for them, and few users have as many sessions. */
const MAX_SPARED = 50

/** No session has started then. */
const NEVER = -1

const isTime = (value: unknown): value is number => typeof value === 'number'

function readSpared(value: unknown): readonly (readonly [string, number])[] | null {
  if (!Array.isArray(value)) return null
  const list: (readonly [string, number])[] = []
  for (const each of value) {
    if (!Array.isArray(each)) return null
    const [sid, time]: unknown[] = each
    if (typeof sid !== 'string' || !isTime(time)) return null
    list.push([sid, time])
  }
  return list
}

/** `null` if the text is not a floor. */
export function parseFloor(text: string): Floor | null {
  try {
    const value: unknown = JSON.parse(text)
    if (!Array.isArray(value)) return null
    const [time, at, spared]: unknown[] = value
    const list = readSpared(spared)
    return isTime(time) && isTime(at) && list ? { time, at, spared: new Map(list) } : null
  } catch {
    return null
  }
}

export function serializeFloor({ time, at, spared }: Floor): string {
  return JSON.stringify([time, at, [...spared]])
}

export function isBelow({ time, spared }: Floor, sid: string, startedAt: number): boolean {
  return startedAt <= (spared.get(sid) ?? time)
}

export interface NewFloor extends Pick<Floor, 'time' | 'at'> {
  readonly spare: readonly string[]
}

/** Ends more sessions; those that an earlier call has ended stay so, whatever this one spares. */
export function raiseFloor(old: Floor | null, { time, at, spare }: NewFloor): Floor {
  const before = old?.time ?? NEVER
  const raised = Math.max(before, time)
  const spared = new Map<string, number>()
  for (const sid of new Set([...spare, ...(old?.spared.keys() ?? [])])) {
    if (spared.size === MAX_SPARED) break
    const known = old?.spared.get(sid) ?? before
    const floor = Math.max(known, spare.includes(sid) ? NEVER : time)
    if (floor < raised) spared.set(sid, floor)
  }
  return { time: raised, at: Math.max(old?.at ?? NEVER, at), spared }
}
