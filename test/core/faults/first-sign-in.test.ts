import { firstSignIns } from './flows.ts'
import { faultTests } from './suite.ts'

faultTests(firstSignIns)
