import { codeFlows } from './code-flows.ts'
import { faultTests } from './suite.ts'

faultTests(codeFlows)
