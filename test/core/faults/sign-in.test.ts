import { signIns } from './flows.ts'
import { faultTests } from './suite.ts'

faultTests(signIns)
