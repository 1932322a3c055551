import { fullSuite } from './demo-suite.ts'
import { describeDemo } from './demo.ts'

describeDemo({ name: 'Next.js 16', suites: { jwt: fullSuite, database: fullSuite } })
