/** Applications of `@hono/auth-js` and `@auth/express` after only their import specifiers were replaced. */
import express from 'express'
import { Hono } from 'hono'
import { afterAll, expect, test } from 'vitest'
import { ExpressAuth, getSession } from '../../src/frameworks/express/index.ts'
import {
  authHandler,
  getAuthUser,
  initAuthConfig,
  verifyAuth,
} from '../../src/frameworks/hono/index.ts'
import { passwordConfig, TYPED } from '../config.ts'
import { rawClient } from './raw-client.ts'
import { listen } from './servers/listen.ts'

const { config } = passwordConfig()
const stops: (() => Promise<void>)[] = []
afterAll(async () => void (await Promise.all(stops.map((stop) => stop()))))

test('Hono: initAuthConfig, authHandler, verifyAuth and getAuthUser', async () => {
  const app = new Hono()
  app.use(
    '*',
    initAuthConfig(() => config),
  )
  app.use('/api/auth/*', authHandler())
  app.use('/api/private', verifyAuth())
  app.get('/api/private', (c) => c.json(c.get('authUser')))
  app.get('/public', async (c) => c.json(await getAuthUser(c)))
  const cookies = new Map<string, string>()
  const send = async (path: string, form?: Record<string, string>) => {
    const headers = { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') }
    const init = form && { method: 'POST', body: new URLSearchParams(form) }
    const response = await app.request(`https://app.test${path}`, { headers, ...init })
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = cookie.split(';', 1)[0]?.split('=') ?? []
      cookies.set(name, value)
    }
    return response
  }
  expect((await send('/api/private')).status).toBe(401)
  expect(await (await send('/public')).json()).toBeNull()
  const { csrfToken } = (await (await send('/api/auth/csrf')).json()) as { csrfToken: string }
  await send('/api/auth/callback/password', { ...TYPED, csrfToken })
  const user = { name: 'Ada Lovelace', email: 'ada@example.com' }
  expect(await (await send('/api/private')).json()).toMatchObject({ session: { user }, user })
})

test('Hono: a missing initAuthConfig is reported', async () => {
  const app = new Hono().use('/api/auth/*', authHandler())
  let reported: unknown
  app.onError((error, c) => {
    reported = error
    return c.body(null, 500)
  })
  await app.request('https://app.test/api/auth/session')
  expect(String(reported)).toContain('initAuthConfig')
})

test('Express: ExpressAuth and getSession', async () => {
  const app = express()
  app.use('/auth', ExpressAuth(config))
  app.get('/me', (req, res, next) => {
    getSession(req, config).then((session) => res.json(session), next)
  })
  const site = await listen(app)
  stops.push(site.stop)
  const user = rawClient(site.origin)
  await user.send('/auth/callback/password', {
    form: { ...TYPED, csrfToken: await user.csrfToken() },
  })
  expect((await user.send('/me')).body).toContain('Ada Lovelace')
  user.close()
})

test('Express: routes below another mount path are left to the application, with one warning', async () => {
  const { config: other, log } = passwordConfig()
  const app = express()
  app.use('/api/auth', ExpressAuth(other))
  app.get('/api/auth/session', (_req, res) => void res.send('own'))
  const site = await listen(app)
  stops.push(site.stop)
  const user = rawClient(site.origin, '/api/auth')
  expect((await user.send('/api/auth/session')).body).toBe('own')
  expect((await user.send('/api/auth/signin')).status).toBe(404)
  expect(log.lines).toEqual([
    [
      'warn',
      'mount-mismatch',
      "A request to /api/auth was not handled, because the base path of the routes is /auth. If the routes belong there, set basePath: '/api/auth'.",
    ],
  ])
  user.close()
})
