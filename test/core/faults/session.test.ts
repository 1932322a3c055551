import { sessionFlows } from './flows.ts'
import { faultTests } from './suite.ts'

faultTests(sessionFlows)
