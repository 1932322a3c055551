/** Adapters with one fault each. */
import type { Adapter } from '../../../src/adapters/index.ts'

/** An adapter with a fault, and the case that must report it. */
export interface Fault {
  readonly what: string
  readonly failing: string
  readonly message: RegExp
  readonly breaks: (memory: Required<Adapter>) => Adapter
}

/** Waits as long as a delay, so that concurrent calls interleave. */
export const delay = () => new Promise<void>((resolve) => setTimeout(resolve, 1))

/** A memory adapter with other methods in place of some. */
export function fault(
  what: string,
  failing: string,
  message: RegExp,
  breaks: (memory: Required<Adapter>) => Partial<Adapter>,
): Fault {
  return { what, failing, message, breaks: (memory) => ({ ...memory, ...breaks(memory) }) }
}

/** A value that violates the types. */
export const untyped = (value: unknown) => value as never

/** The text as compared by a collation that ignores case, accents and trailing spaces. */
export const folded = (text: string) =>
  text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    .trimEnd()
    .toLowerCase()
