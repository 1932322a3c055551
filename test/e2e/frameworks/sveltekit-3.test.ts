/** The tests of `sveltekit.test.ts` with SvelteKit 3, which needs Node 22. */
import { expect, test } from 'vitest'
import { findFramework, findRuntime } from '../../services.ts'
import { runTests } from './application.ts'

const node = await findRuntime('node-24')
const isInstalled = (await findFramework('sveltekit-3')) !== null

test.skipIf(!node || !isInstalled)(
  'SvelteKit 3 passes the same tests on Node 24',
  async () => {
    const env = { SVELTEKIT: 'sveltekit-3' }
    const printed = await runTests(node ?? '', 'test/e2e/frameworks/sveltekit.test.ts', env)
    expect(printed).toMatch(/Tests {2}\d+ passed \(/)
    // It ends by the timeouts of its own tests.
  },
  600_000,
)
