/** Finds out whether an adapter does what the library relies on. */
import type { Adapter } from '../../adapters/index.ts'
import { accountCases } from './accounts.ts'
import { authenticatorCases } from './authenticators.ts'
import { missingMethods } from './case.ts'
import type { AdapterCase, Report } from './case.ts'
import { identifierCases } from './identifiers.ts'
import { raceCases } from './races.ts'
import { sessionCases } from './sessions.ts'
import { tokenCases } from './tokens.ts'
import { transactionCases } from './transactions.ts'
import { userCases } from './users.ts'

/** Everything an adapter has to do: {@link testAdapter} for runners that are called otherwise. */
export const adapterCases: readonly AdapterCase[] = [
  ...userCases,
  ...accountCases,
  ...sessionCases,
  ...tokenCases,
  ...authenticatorCases,
  ...identifierCases,
  ...transactionCases,
  ...raceCases,
]

/** How a runner is told of a test: `test` of vitest, of `node:test`, of jest, of bun. */
export interface TestFunction {
  (name: string, body: () => Promise<void>): unknown
  skip(name: string, body: () => Promise<void>): unknown
}

/** What {@link testAdapter} needs. */
export interface AdapterTestOptions {
  /** The `test` function of the runner. */
  readonly test: TestFunction
  /** Hears what the adapter may do, but had better not. @default console.warn */
  readonly report?: Report
}

/**
 * Makes one test of each thing that an adapter has to do. What needs a method that the adapter does not have is
 * skipped, and its name says which method is missing.
 *
 * The adapter must be able to store rows; it need not be empty, and what the tests store stays. Some do the same
 * fifty times at once: a pool of connections has to queue.
 *
 * @example
 * ```ts
 * import MemoryAdapter from 'lib-auth/adapters/memory'
 * import { testAdapter } from 'lib-auth/testing'
 * import { test } from 'node:test'
 *
 * testAdapter(MemoryAdapter(), { test })
 * ```
 */
export function testAdapter(adapter: Adapter, { test, report }: AdapterTestOptions): void {
  for (const each of adapterCases) {
    const missing = missingMethods(adapter, each.needs)
    const body = async () => each.run(adapter, report)
    if (missing.length === 0) void test(each.name, body)
    else void test.skip(`${each.name} (the adapter has no ${missing.join(', ')})`, body)
  }
}
