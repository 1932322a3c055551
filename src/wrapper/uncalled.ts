import { InvalidConfiguration } from '../errors/classes.ts'

/**
 * Rejects `protect` in the place of its result: a framework would pass it a request, and wait for it forever.
 *
 * @param rest - the arguments after the options
 */
export function rejectUncalled(rest: readonly unknown[]): void {
  if (rest.length > 0)
    throw new InvalidConfiguration(
      'protect was used as a handler, but returns one. Call it: protect() instead of protect.',
    )
}
