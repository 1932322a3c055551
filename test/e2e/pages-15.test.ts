import { APPS } from '../../tools/demo-app.mjs'
import { makeNextApp, nextProgram } from '../../tools/next-app.mjs'
import { describeDemo } from './demo.ts'
import { databaseSuite, signOutSuite, updateSuite } from './session-suite.ts'
import { apiSuite, shortSuite, signInSuite } from './sign-in-suite.ts'
import { expirySuite, outageSuite, slowSuite } from './outage-suite.ts'

describeDemo({
  name: 'the Pages Router of Next.js 15',
  router: 'pages',
  // The edge runtime cannot open the database, so every request would be unauthenticated.
  make: () => makeNextApp({ from: APPS.pages, name: 'pages', version: 15, runtime: 'nodejs' }),
  next: nextProgram(15),
  trials: [
    { sessions: 'jwt', suites: [signInSuite, apiSuite, signOutSuite, updateSuite, slowSuite] },
    { sessions: 'database', suites: [shortSuite, apiSuite, databaseSuite] },
    { sessions: 'jwt', sessionSeconds: 12, suites: [outageSuite, expirySuite] },
  ],
})
