import { conformance } from './conformance/index.ts'
import { startExpress, startExpress4 } from './servers/express.ts'

conformance('lib-auth/express with Express 5', startExpress)
conformance('lib-auth/express with Express 4', startExpress4)
