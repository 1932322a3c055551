import { makeNext15App, NEXT_15 } from '../../tools/next-15.mjs'
import { describeDemo } from './demo-suite.ts'

describeDemo({ name: 'Next.js 15', app: makeNext15App(), next: NEXT_15 })
