/** Limits how many passwords a process hashes at once: each takes a thread, and 32 MiB of memory. */
import { TemporarilyUnavailable } from '../errors/classes.ts'
import { processMemory } from '../limits/process-memory.ts'

const MAX_RUNNING = 4
const MAX_WAITING = 32

/** @throws TemporarilyUnavailable if too many wait already */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const queue = (processMemory().hashing ??= { running: 0, waiting: [] })
  if (queue.running < MAX_RUNNING) queue.running++
  else if (queue.waiting.length >= MAX_WAITING)
    throw new TemporarilyUnavailable(
      `${MAX_WAITING} passwords wait to be hashed. Limit sign-ins per client address (protection.clientAddress), or start more processes.`,
    )
  else await new Promise<void>((resolve) => void queue.waiting.push(resolve))
  try {
    return await work()
  } finally {
    const next = queue.waiting.shift()
    if (next) next()
    else queue.running--
  }
}
