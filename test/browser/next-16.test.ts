import { describeDemo } from './demo-suite.ts'

describeDemo({ name: 'Next.js 16' })
