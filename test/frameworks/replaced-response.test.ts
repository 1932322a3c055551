/** Some servers replace the global `Response`: responses that the platform creates are not instances of their class. */
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { opener } from './conformance/site.ts'
import type { StartSite } from './conformance/site.ts'
import { startExpress } from './servers/express.ts'
import { startFastify } from './servers/fastify.ts'
import { startHono } from './servers/hono.ts'
import { startNode } from './servers/node.ts'

const SERVERS: readonly [string, StartSite][] = [
  ['node:http', startNode],
  ['Express', startExpress],
  ['Fastify', startFastify],
  ['Hono', startHono],
]

/** As of `@hono/node-server` 1, whose class has no `json` and `redirect` of its own. */
function replaceResponse(): void {
  const Platform = globalThis.Response
  vi.stubGlobal('Response', class extends Platform {})
  onTestFinished(() => void vi.unstubAllGlobals())
  expect(Response.json({})).not.toBeInstanceOf(Response)
}

describe.each(SERVERS)('protect with %s, if the global Response was replaced', (_name, start) => {
  const open = opener(start)
  const data = { headers: { accept: 'application/json', 'sec-fetch-dest': 'empty' } }

  test('answers 401 to a script without a session', async () => {
    const user = (await open()).user()
    replaceResponse()
    const { status, body } = await user.send('/guarded/data', data)
    expect([status, JSON.parse(body)]).toEqual([401, { error: 'SessionRequired' }])
  })

  test('sends the response that authorized returns', async () => {
    const authorized = () => Response.json({ error: 'Closed' }, { status: 423 })
    const user = (await open({ overrides: { callbacks: { authorized } } })).user()
    replaceResponse()
    const { status, body } = await user.send('/guarded')
    expect([status, JSON.parse(body)]).toEqual([423, { error: 'Closed' }])
  })
})
