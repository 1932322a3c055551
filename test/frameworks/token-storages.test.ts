/** Access tokens through wrappers, with tokens in each kind of database. */
import { describe } from 'vitest'
import { forEachDatabase } from '../core/tokens/places.ts'
import { opener } from './conformance/site.ts'
import type { StartSite } from './conformance/site.ts'
import { storedModes, tokenRows } from './conformance/tokens.ts'
import { startExpress } from './servers/express.ts'
import { startFastify } from './servers/fastify.ts'
import { startHono } from './servers/hono.ts'
import { startNode } from './servers/node.ts'

const SERVERS: Readonly<Record<string, StartSite>> = {
  'lib-auth/node': startNode,
  'lib-auth/express': startExpress,
  'lib-auth/fastify': startFastify,
  'lib-auth/hono': startHono,
}

await forEachDatabase((storage, openAdapter) => {
  for (const [name, start] of Object.entries(SERVERS))
    describe(name, () => tokenRows(opener(start), {}, storedModes(openAdapter, ` (${storage})`)))
})
