/**
 * What has been used in this process and must not be used again. Elsewhere the deleted cookie, the deleted row and the
 * provider's one-time code count.
 */
import { setBounded } from '../bounded-map.ts'

/** Milliseconds: longer than an attempt can be under way. */
const MEMORY: number = 15 * 60_000
const MAX_MEMORIES = 10_000

const memories = new Map<string, { readonly returnTo: string; readonly until: number }>()

/** The memory of this process. */
export const used = {
  /** Remembers something by its hash, and where it led. */
  remember(hash: string, returnTo: string): void {
    setBounded(memories, [hash, { returnTo, until: Date.now() + MEMORY }], MAX_MEMORIES)
  },

  /** Where something led that was used within the last minutes. */
  recall(hash: string): { readonly returnTo: string } | undefined {
    const memory = memories.get(hash)
    return memory && memory.until > Date.now() ? memory : undefined
  },

  /** Forgets it: it was used for nothing, and is good once more. */
  forget(hash: string): void {
    memories.delete(hash)
  },
}
