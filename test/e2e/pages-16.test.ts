import { APPS } from '../../tools/demo-app.mjs'
import { makeNextApp, nextProgram } from '../../tools/next-app.mjs'
import { describeDemo } from './demo.ts'
import { databaseSuite, restartSuite, signOutSuite, updateSuite } from './session-suite.ts'
import { apiSuite, shortSuite, signInSuite } from './sign-in-suite.ts'
import { expirySuite, outageSuite, slowSuite } from './outage-suite.ts'

describeDemo({
  name: 'the Pages Router of Next.js 16',
  router: 'pages',
  make: () => makeNextApp({ from: APPS.pages, name: 'pages' }),
  next: nextProgram(16),
  trials: [
    {
      sessions: 'jwt',
      suites: [
        shortSuite,
        signInSuite,
        apiSuite,
        signOutSuite,
        updateSuite,
        restartSuite,
        slowSuite,
      ],
    },
    {
      sessions: 'database',
      suites: [shortSuite, apiSuite, databaseSuite, restartSuite],
    },
    { sessions: 'jwt', sessionSeconds: 30, suites: [outageSuite, expirySuite] },
  ],
})
