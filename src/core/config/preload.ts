import { nodeEnv } from './variables.ts'

/**
 * Loads modules that a later request needs, which reports an error if there is one. Not in tests: a runner may end
 * before, and the linker of Jest fails when ES modules with a common import load at the same time.
 *
 * @see https://github.com/jestjs/jest/issues/11434
 */
export function preload(...loads: readonly (() => unknown)[]): void {
  if (nodeEnv() === 'test') return
  for (const load of loads) void Promise.resolve(load()).catch(() => undefined)
}
