import { accountSuite } from './account-suite.ts'
import { appearanceSuite } from './appearance-suite.ts'
import { describeDemo } from './demo.ts'
import {
  actionSuite,
  databaseSuite,
  restartSuite,
  signOutSuite,
  updateSuite,
} from './session-suite.ts'
import { passkeyDemoSuite } from './passkey-demo-suite.ts'
import { limitSuite } from './limit-suite.ts'
import { tokenDemoSuite } from './token-demo-suite.ts'
import { linkingSuite, shortSuite, signInSuite } from './sign-in-suite.ts'
import { expirySuite, outageSuite, slowSuite } from './outage-suite.ts'

describeDemo({
  name: 'Next.js 16',
  router: 'app',
  trials: [
    {
      sessions: 'jwt',
      suites: [
        shortSuite,
        signInSuite,
        linkingSuite,
        limitSuite,
        passkeyDemoSuite,
        accountSuite,
        tokenDemoSuite,
        signOutSuite,
        updateSuite,
        actionSuite,
        restartSuite,
        slowSuite,
        appearanceSuite,
      ],
    },
    {
      // What the browser does with pages and tabs does not depend on where sessions are stored, and functions are tested
      // with both strategies on each framework.
      sessions: 'database',
      suites: [shortSuite, tokenDemoSuite, actionSuite, databaseSuite, restartSuite],
    },
    { sessions: 'jwt', sessionSeconds: 30, suites: [outageSuite, expirySuite] },
  ],
})
