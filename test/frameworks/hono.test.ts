import { conformance } from './conformance/index.ts'
import { startHono } from './servers/hono.ts'

conformance('lib-auth/hono with @hono/node-server', startHono)
