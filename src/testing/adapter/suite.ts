import type { Adapter } from '../../core/database/adapter.ts'
import { missingMethods } from './case.ts'
import type { AdapterCase, Report } from './case.ts'
import { concurrencyCases } from './concurrency.ts'
import { expiringCases } from './expiring.ts'
import { factorCases } from './factors.ts'
import { identifierCases } from './identifiers.ts'
import { passkeyCases } from './passkeys.ts'
import { passwordCases } from './passwords.ts'
import { recordCases } from './records.ts'
import { userCases } from './users.ts'

/** All requirements of the adapter contract, for test runners that {@link testAdapter} does not support. */
export const adapterCases: readonly AdapterCase[] = [
  ...userCases,
  ...passkeyCases,
  ...expiringCases,
  ...identifierCases,
  ...concurrencyCases,
  ...recordCases,
  ...factorCases,
  ...passwordCases,
]

/** The function of a runner that declares a test: `test` of Vitest, `node:test`, Jest or Bun. */
export interface TestFunction {
  (name: string, body: () => Promise<void>): unknown
  skip(name: string, body: () => Promise<void>): unknown
}

/** Options of {@link testAdapter}. */
export interface AdapterTestOptions {
  /** The function of the runner that declares a test. */
  readonly test: TestFunction
  /** Receives warnings about discouraged behaviour. @default console.warn */
  readonly report?: Report
}

/**
 * Declares one test per requirement of the adapter contract. A test that requires a missing method is skipped, and its
 * name contains the method. The database need not be empty, and rows of the tests remain in it. Some tests make fifty
 * concurrent calls, which a connection pool has to queue.
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
