/** Single use within this process; across processes, the deleted cookie or row, or the provider, enforces it. */
import { setBounded } from '../bounded-map.ts'

/** Milliseconds; longer than the lifetime of a transaction. */
const MEMORY: number = 15 * 60_000
const MAX_MEMORIES = 10_000

const memories = new Map<string, { readonly returnTo: string; readonly until: number }>()

export const used = {
  remember(hash: string, returnTo: string): void {
    setBounded(memories, [hash, { returnTo, until: Date.now() + MEMORY }], MAX_MEMORIES)
  },

  recall(hash: string): { readonly returnTo: string } | undefined {
    const memory = memories.get(hash)
    return memory && memory.until > Date.now() ? memory : undefined
  },

  /** Makes it valid again, because the sign-in with it failed. */
  forget(hash: string): void {
    memories.delete(hash)
  },
}
