/** Limits how many passwords a process hashes at once: each takes a thread, and 32 MiB of memory. */
import { TemporarilyUnavailable } from '../errors/classes.ts'
import { processMemory } from '../limits/process-memory.ts'
import type { WaitingHash } from '../limits/process-memory.ts'

const MAX_RUNNING = 4
const MAX_WAITING = 32
/** Milliseconds. `authorize` may take ten seconds, of which the hash needs some. */
const MAX_WAIT = 5000

function tooMany(): TemporarilyUnavailable {
  return new TemporarilyUnavailable(
    `${MAX_WAITING} passwords wait to be hashed, or this one has waited for ${MAX_WAIT / 1000} seconds. Limit sign-ins per client address (protection.clientAddress), or start more processes.`,
  )
}

/** Rejects those that have waited too long: their requests time out, and later ones would wait for hashes whose results are discarded. */
function rejectOld(waiting: WaitingHash[]): void {
  const oldest = performance.now() - MAX_WAIT
  while (waiting[0] && waiting[0].since < oldest) waiting.shift()?.reject(tooMany())
}

/** @throws TemporarilyUnavailable if too many wait already, or after five seconds */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const queue = (processMemory().hashing ??= { running: 0, waiting: [] })
  const { waiting } = queue
  rejectOld(waiting)
  if (queue.running < MAX_RUNNING) queue.running++
  else if (waiting.length >= MAX_WAITING) throw tooMany()
  else
    await new Promise<void>((start, reject) => {
      waiting.push({ since: performance.now(), start, reject })
    })
  try {
    return await work()
  } finally {
    rejectOld(waiting)
    const next = waiting.shift()
    if (next) next.start()
    else queue.running--
  }
}
