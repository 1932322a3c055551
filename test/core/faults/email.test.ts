import { emailFlows } from './flows.ts'
import { faultTests } from './suite.ts'

faultTests(emailFlows)
