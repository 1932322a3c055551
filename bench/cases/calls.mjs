// What a wrapper adds to `getSession`: `auth()` with requests that servers have received, against `getSession` with their
// headers as `Headers`.
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import express from 'express'
import Fastify from 'fastify'
import { Hono } from 'hono'
import { getSession } from 'lib-auth'
import ExpressLib from 'lib-auth/express'
import FastifyLib from 'lib-auth/fastify'
import HonoLib from 'lib-auth/hono'
import { encode } from 'lib-auth/jwt'
import NodeLib from 'lib-auth/node'
import SvelteKitLib from 'lib-auth/sveltekit'
import { compare } from '../measure.mjs'
import { assert, common, SECRET } from '../setup.mjs'

const config = {
  ...common,
  providers: [{ id: 'none', type: 'credentials', authorize: () => null }],
}
const NAME = 'Ada Lovelace'
const COOKIE = 'lib.session-token'
const HEADERS = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-encoding': 'gzip, deflate, br',
  'accept-language': 'en-US,en;q=0.5',
  connection: 'keep-alive',
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-site': 'same-origin',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
}

/** Header records of one session, or of more than the cache of decrypted tokens holds. */
async function visitors(count) {
  const records = []
  for (let index = 0; index < count; index++) {
    const token = { name: NAME, email: 'ada@example.com', sub: String(index), auth_time: 1 }
    const value = await encode({ token, secret: SECRET, salt: COOKIE })
    records.push({ host: 'app.test', ...HEADERS, cookie: `theme=dark; ${COOKIE}=${value}` })
  }
  let at = 0
  return () => records[at++ % records.length]
}

/** Requests in the form in which a server passes them to a handler. They are never answered. */
async function received(listenerFor, next) {
  const requests = []
  const arrived = { resolve: () => undefined }
  const listener = await listenerFor((request) => {
    requests.push(request)
    arrived.resolve()
  })
  const server = createServer(listener)
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  let socket
  const send = () => {
    socket?.destroy()
    socket = connect(server.address().port, '127.0.0.1').on('error', () => undefined)
    for (let count = 0; count < 100; count++) {
      const lines = Object.entries(next()).map(([name, value]) => `${name}: ${value}\r\n`)
      socket.write(`GET /me HTTP/1.1\r\n${lines.join('')}\r\n`)
    }
  }
  return async () => {
    if (requests.length === 0) send()
    while (requests.length === 0) await new Promise((resolve) => (arrived.resolve = resolve))
    return requests.shift()
  }
}

const never = () => new Promise(() => {})

function svelteKitEvent(headers) {
  const url = new URL('http://app.test/me')
  const request = new Request(url, { headers })
  const flags = { isDataRequest: false, isRemoteRequest: false }
  return { url, request, cookies: { set() {} }, locals: {}, route: { id: '/me' }, ...flags }
}

const node = NodeLib(config)
const forExpress = ExpressLib(config)
const forFastify = FastifyLib(config)
const forHono = HonoLib(config)
const forSvelteKit = SvelteKitLib(config)

const WRAPPERS = {
  'Node.js': {
    prepare: (next) => received((add) => (req, res) => add([req, res]), next),
    run: ([req, res]) => node.auth(req, res),
  },
  Express: {
    prepare: (next) =>
      received((add) => express().get('/me', (req, res) => void add([req, res])), next),
    run: ([req, res]) => forExpress.auth(req, res),
  },
  Fastify: {
    prepare: (next) =>
      received(async (add) => {
        const app = Fastify()
        app.get('/me', (request) => {
          add(request)
          return never()
        })
        await app.ready()
        return (req, res) => app.routing(req, res)
      }, next),
    run: (request) => forFastify.auth(request),
  },
  Hono: {
    prepare: (next) =>
      received((add) => {
        const app = new Hono().get('/me', (c) => {
          add(c)
          return never()
        })
        return getRequestListener(app.fetch)
      }, next),
    run: (c) => forHono.auth(c),
  },
  SvelteKit: {
    prepare: async (next) => () => svelteKitEvent(next()),
    run: (event) => forSvelteKit.auth(event),
  },
}

function checked(name, prepare, run) {
  const check = async () =>
    assert((await run(await prepare()))?.user.name === NAME, `${name}: wrong session`)
  return { check, prepare, run }
}

async function measure(name, { prepare, run }, count) {
  const headers = await visitors(count)
  const read = async (each) => (await getSession(each, config)).session
  return compare(
    {
      'lib-auth': checked(name, await prepare(await visitors(count)), run),
      limit: checked('getSession', () => new Headers(headers()), read),
    },
    { rounds: 100, clock: 'processor' },
  )
}

/** Microseconds that a wrapper may add. */
const aim = { more: 25 }

export const cases = Object.entries(WRAPPERS).flatMap(([name, wrapper]) => [
  { name: `wrapper for ${name}, new token`, aim, run: () => measure(name, wrapper, 1000) },
  { name: `wrapper for ${name}, cached token`, aim, run: () => measure(name, wrapper, 1) },
])
