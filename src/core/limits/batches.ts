/**
 * Changes of one key that this process makes at the same time are written together: while one batch is written, the
 * next one fills. As single compare-and-writes they would lose to each other.
 */
import type { RateDecision } from '../config/protection-options.ts'
import { unavailable, withTimeout } from '../async/timeout.ts'

/**
 * Milliseconds after which a batch no longer delays others: some platforms cancel it with the request that began it, and
 * also a batch that waits for it.
 */
const MAX_WAIT = 1000

/** What is stored; `null`: nothing. */
export interface State {
  readonly value: string | null
  readonly tat: number
}

/** Charges or refunds a key; the result contains the tat to store. */
export type Change = (tat: number) => RateDecision & { readonly tat: number }

export interface Written {
  /** One for each change. */
  readonly decisions: readonly RateDecision[]
  /** After the write; `undefined`: not known. */
  readonly state: State | undefined
}

type Write = (read: State | undefined, changes: readonly Change[]) => Promise<Written>

interface Batch {
  readonly changes: Change[]
  readonly opened: number
  isBegun: boolean
  readonly written: Promise<Written>
}

/** By key, the last batch that has not ended. */
export type Batches = Map<string, Batch>

/** The state after a batch is what the next one has to expect. */
async function stateAfter({ written }: Batch): Promise<State | undefined> {
  try {
    const ended = withTimeout(written, {
      what: 'Another attempt',
      timeout: MAX_WAIT,
      timeoutError: unavailable,
    })
    return (await ended).state
  } catch {
    return undefined
  }
}

interface Made {
  readonly key: string
  /** What was read, if anything; it is not used after another batch. */
  readonly read: State | undefined
  readonly change: Change
}

function openBatch(
  batches: Batches,
  { key, read }: Made,
  { last, write }: { readonly last: Batch | undefined; readonly write: Write },
): Batch {
  const changes: Change[] = []
  const begin = async (): Promise<Written> => {
    const state = await (last ? stateAfter(last) : read)
    batch.isBegun = true
    try {
      return await write(state, changes)
    } finally {
      if (batches.get(key) === batch) batches.delete(key)
    }
  }
  const batch: Batch = { changes, opened: Date.now(), isBegun: false, written: begin() }
  batches.set(key, batch)
  return batch
}

/** Makes a change of a key, together with others that wait. */
export async function changeInBatch(
  batches: Batches,
  made: Made,
  write: Write,
): Promise<RateDecision> {
  const found = batches.get(made.key)
  const last = found && Date.now() - found.opened < MAX_WAIT ? found : undefined
  const batch = last && !last.isBegun ? last : openBatch(batches, made, { last, write })
  const index = batch.changes.push(made.change) - 1
  const { decisions } = await batch.written
  return decisions[index] ?? { allowed: false, retryAfter: 0 }
}
