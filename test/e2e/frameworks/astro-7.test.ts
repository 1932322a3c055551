/** The tests of `astro.test.ts` with Astro 7, which needs Node 22. */
import { expect, test } from 'vitest'
import { findFramework, findRuntime } from '../../services.ts'
import { runTests } from './application.ts'

const node = await findRuntime('node-24')
const isInstalled = (await findFramework('astro-7')) !== null

test.skipIf(!node || !isInstalled)(
  'Astro 7 passes the same tests on Node 24',
  async () => {
    const env = { ASTRO: 'astro-7' }
    const printed = await runTests(node ?? '', 'test/e2e/frameworks/astro.test.ts', env)
    expect(printed).toMatch(/Tests {2}\d+ passed \| 1 skipped \(/)
    // It ends by the timeouts of its own tests.
  },
  600_000,
)
