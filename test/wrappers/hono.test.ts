import { conformance } from './conformance/index.ts'
import { startHono } from './servers/hono.ts'

// `@hono/node-server` reads bodies itself, and closes a connection whose body was not read within half a second.
conformance('lib-auth/hono with @hono/node-server', startHono, { closesConnection: true })
