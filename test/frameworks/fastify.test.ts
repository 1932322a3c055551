import { conformance } from './conformance/index.ts'
import { startFastify } from './servers/fastify.ts'

conformance('lib-auth/fastify', startFastify)
