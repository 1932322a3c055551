/** The demo uses other ports when its own are in use. */
import { createServer } from 'node:net'
import type { AddressInfo, Server } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { freePort } from '../../tools/ports.mjs'

const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

function occupy(host: string): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer()
    servers.push(server)
    server.listen(0, host, () => resolve((server.address() as AddressInfo).port))
  })
}

test.each(['127.0.0.1', '0.0.0.0'])(
  'a port that is in use on %s is replaced by a free one',
  async (host) => {
    const taken = await occupy(host)
    const free = await freePort(taken)
    expect(free).not.toBe(taken)
    expect(free).toBeGreaterThan(0)
  },
)

test('a free port is used', async () => {
  const taken = await occupy('127.0.0.1')
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve))
  expect(await freePort(taken)).toBe(taken)
})

test('no free port is returned twice, so that servers which start together get different ones', async () => {
  const ports = await Promise.all(Array.from({ length: 200 }, () => freePort()))
  expect(new Set(ports).size).toBe(ports.length)
})
