/** The tests of `react-router.test.ts` with the oldest supported release. */
import { expect, test } from 'vitest'
import { findFramework } from '../../services.ts'
import { runTests } from './application.ts'

const isInstalled = (await findFramework('react-router-7.9')) !== null

test.skipIf(!isInstalled)(
  'React Router 7.9.0 passes the same tests',
  async () => {
    const env = { REACT_ROUTER: 'react-router-7.9' }
    const printed = await runTests(
      process.execPath,
      'test/e2e/frameworks/react-router.test.ts',
      env,
    )
    expect(printed).toMatch(/Tests {2}\d+ passed/)
  },
  300_000,
)
