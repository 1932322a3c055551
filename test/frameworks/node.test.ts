import { conformance } from './conformance/index.ts'
import { startNode } from './servers/node.ts'

conformance('lib-auth/node', startNode)
