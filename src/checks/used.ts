/** Single use within this process; across processes, the deleted cookie or row, or the provider, enforces it. */
import { setBounded } from '../bounded-map.ts'

/** Milliseconds; longer than the lifetime of a transaction. */
const MEMORY: number = 15 * 60_000
const MAX_USED = 10_000

interface Used {
  readonly returnTo: string
  /** In milliseconds since the epoch. */
  readonly until: number
}

const usedHashes = new Map<string, Used>()

export function markUsed(hash: string, returnTo: string): void {
  setBounded(usedHashes, [hash, { returnTo, until: Date.now() + MEMORY }], MAX_USED)
}

export function findUsed(hash: string): { readonly returnTo: string } | undefined {
  const used = usedHashes.get(hash)
  return used && used.until > Date.now() ? used : undefined
}

/** Makes it valid again, because the sign-in with it failed. */
export function markUnused(hash: string): void {
  usedHashes.delete(hash)
}
