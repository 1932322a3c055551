import { APPS } from '../../tools/demo-app.mjs'
import { makeNextApp, nextProgram } from '../../tools/next-app.mjs'
import { describeDemo } from './demo.ts'
import { databaseSuite } from './session-suite.ts'
import { apiSuite, shortSuite } from './sign-in-suite.ts'

describeDemo({
  name: 'the Pages Router of Next.js 15',
  router: 'pages',
  // The edge runtime cannot open the database, so every request would be unauthenticated.
  make: () => makeNextApp({ from: APPS.pages, name: 'pages', version: 15, runtime: 'nodejs' }),
  next: nextProgram(15),
  trials: [
    // What the browser does does not depend on the release of Next.js.
    { sessions: 'database', suites: [shortSuite, apiSuite, databaseSuite] },
  ],
})
