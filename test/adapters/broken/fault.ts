/** An adapter that does one thing wrong. */
import type { Adapter } from '../../../src/adapters/index.ts'

/** An adapter with a fault, and which case has to find it. */
export interface Fault {
  readonly what: string
  readonly failing: string
  readonly message: RegExp
  readonly breaks: (memory: Required<Adapter>) => Adapter
}

/** The time a query takes, in which others get their turn. */
export const query = () => new Promise<void>((resolve) => setTimeout(resolve, 1))

/** An adapter in memory, except for some methods. */
export function fault(
  what: string,
  failing: string,
  message: RegExp,
  breaks: (memory: Required<Adapter>) => Partial<Adapter>,
): Fault {
  return { what, failing, message, breaks: (memory) => ({ ...memory, ...breaks(memory) }) }
}

/** What somebody returns who has not read the types. */
export const untyped = (value: unknown) => value as never

/** What a query that ignores case, accents and trailing spaces compares. */
export const folded = (text: string) =>
  text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    .trimEnd()
    .toLowerCase()
