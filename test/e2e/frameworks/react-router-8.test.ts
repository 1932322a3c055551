/** The tests of `react-router.test.ts` with React Router 8, which needs Node 22.22. */
import { expect, test } from 'vitest'
import { findFramework, findRuntime } from '../../services.ts'
import { runTests } from './application.ts'

const node = await findRuntime('node-24')
const isInstalled = (await findFramework('react-router-8')) !== null

test.skipIf(!node || !isInstalled)(
  'React Router 8 passes the same tests on Node 24',
  async () => {
    const env = { REACT_ROUTER: 'react-router-8' }
    const printed = await runTests(node ?? '', 'test/e2e/frameworks/react-router.test.ts', env)
    expect(printed).toMatch(/Tests {2}\d+ passed/)
  },
  300_000,
)
