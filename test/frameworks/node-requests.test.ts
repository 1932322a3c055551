/** Requests and responses of platforms that imitate node:http, and of applications that use it in unusual ways. */
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import Fastify from 'fastify'
import type { FastifyPluginCallback } from 'fastify'
import { afterAll, expect, test } from 'vitest'
import FastifyLib from '../../src/frameworks/fastify/index.ts'
import Lib from '../../src/frameworks/node/index.ts'
import { passwordConfig, TYPED } from '../config.ts'
import { rawClient } from './raw-client.ts'
import { listen } from './servers/listen.ts'

const { config } = passwordConfig({ session: { updateAge: 0 } })
const lib = Lib(config)
const stops: (() => Promise<void>)[] = []
afterAll(async () => void (await Promise.all(stops.map((stop) => stop()))))

test('a response whose write returns nothing is completed', async () => {
  const site = await listen(
    createServer((req, res) => {
      const write = res.write.bind(res)
      Object.assign(res, { write: (chunk: Uint8Array) => void write(chunk) })
      lib.handler(req, res)
    }),
  )
  stops.push(site.stop)
  const user = rawClient(site.origin)
  expect((await user.send('/auth/session')).body).toBe('null')
  user.close()
})

test('the handler counts as middleware where a server looks at its number of parameters', async () => {
  // As `fromNodeMiddleware` of h3 and `koa-connect` do: the next handler follows at once unless `next` is a parameter.
  const site = await listen(
    createServer((req, res) => {
      const { handler } = lib
      const next = () => void res.writeHead(404).end()
      handler(req, res, next)
      if (handler.length < 3) next()
    }),
  )
  stops.push(site.stop)
  const user = rawClient(site.origin)
  expect((await user.send('/auth/session')).body).toBe('null')
  expect((await user.send('/other')).status).toBe(404)
  user.close()
})

test('writeHead with an undefined last argument keeps its headers next to an extended session', async () => {
  const site = await listen(
    createServer((req: IncomingMessage, res: ServerResponse) =>
      lib.handler(req, res, () => {
        void lib.auth(req, res).then(() => {
          const args: [number, object, undefined] = [
            200,
            { 'content-type': 'text/x-mine' },
            undefined,
          ]
          Reflect.apply(res.writeHead.bind(res), undefined, args)
          return res.end('mine')
        })
      }),
    ),
  )
  stops.push(site.stop)
  const user = rawClient(site.origin)
  const csrfToken = await user.csrfToken()
  await user.send('/auth/callback/password', { form: { ...TYPED, csrfToken } })
  const answer = await user.send('/')
  expect(answer.setCookies.join()).toContain('session-token=')
  expect(answer.headers['content-type']).toBe('text/x-mine')
  user.close()
})

test('auth reads the session of a plain object with headers', async () => {
  const request = { headers: { host: 'app.test' }, method: 'GET', url: '/' }
  expect(await lib.auth(request as IncomingMessage)).toBeNull()
})

test('Fastify: two configurations in one application; a scope with a prefix is rejected', async () => {
  const app = Fastify()
  await app.register(FastifyLib({ ...config, basePath: '/a/auth' }).plugin)
  await app.register(FastifyLib({ ...config, basePath: '/b/auth' }).plugin)
  const headers = { host: 'app.test' }
  for (const url of ['/a/auth/session', '/b/auth/session'])
    expect((await app.inject({ url, headers })).body).toBe('null')
  await app.close()
  const scoped = Fastify()
  scoped.register(async (api) => void api.register(FastifyLib(config).plugin), { prefix: '/api' })
  await expect(scoped.ready()).rejects.toThrow('prefix /api')
})

test('Fastify: a scope without a prefix is rejected, a plugin that shares the scope of the application is not', async () => {
  const register: FastifyPluginCallback = (app, _options, done) => {
    app.register(FastifyLib(config).plugin)
    done()
  }
  const scoped = Fastify()
  scoped.register(register)
  await expect(scoped.ready()).rejects.toThrow('in a scope of its own')
  const app = Fastify()
  app.register(Object.assign(register.bind(null), { [Symbol.for('skip-override')]: true }))
  const headers = { host: 'app.test' }
  expect((await app.inject({ url: '/auth/session', headers })).body).toBe('null')
  await app.close()
})
