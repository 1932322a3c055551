/** The section of docs/guides/node.md about WebSockets. */
import { createServer, request } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import Lib from '../../src/frameworks/node/index.ts'
import type { LibResult } from '../../src/frameworks/node/index.ts'
import { encode } from '../../src/jwt.ts'
import { SECRET } from '../config.ts'
import { openGuide } from './guide.ts'

interface Socket {
  close(): void
}

type Accept = (
  server: Server,
  lib: LibResult,
  origin: string,
  serve: (ws: Socket, session: { user?: { name?: string } }) => void,
) => void

const names: unknown[] = []
const server = createServer()
let port = 0

beforeAll(async () => {
  const { acceptSockets } = await openGuide('node').load<{ acceptSockets: Accept }>('sockets.mjs')
  const lib = Lib({ providers: [], secret: SECRET, trustHost: true })
  acceptSockets(server, lib, 'https://app.test', (ws, { user }) => {
    names.push(user?.name)
    ws.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ;({ port } = server.address() as AddressInfo)
})
afterAll(() => void server.close())

/** The status of the handshake. */
function connect(headers: Record<string, string>): Promise<number | undefined> {
  const handshake = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' }
  const key = { 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' }
  const call = request({ port, headers: { ...handshake, ...key, ...headers } })
  return new Promise((resolve, reject) => {
    call.on('error', reject)
    call.on('response', ({ statusCode }) => resolve(statusCode))
    call.on('upgrade', ({ statusCode }, socket) => {
      socket.destroy()
      resolve(statusCode)
    })
    call.end()
  })
}

test('only pages of the site with a session connect', async () => {
  const salt = 'lib.session-token'
  const token = await encode({ token: { sub: '1', name: 'Ada' }, secret: SECRET, salt })
  const cookie = `${salt}=${token}`
  const origin = 'https://app.test'
  expect(await connect({ origin, cookie })).toBe(101)
  expect(await connect({ origin })).toBe(401)
  expect(await connect({ origin, cookie: `${salt}=x` })).toBe(401)
  expect(await connect({ origin: 'https://evil.app.test', cookie })).toBe(401)
  expect(await connect({ cookie })).toBe(401)
  expect(names).toEqual(['Ada'])
})
