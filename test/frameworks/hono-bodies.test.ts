/** Bodies that middleware of a Hono application has read before the built-in routes. */
import { Hono } from 'hono'
import type { Context } from 'hono'
import { expect, test } from 'vitest'
import Lib from '../../src/frameworks/hono/index.ts'
import { passwordConfig, TYPED } from '../config.ts'

type Read = (c: Context) => Promise<unknown>

async function signInAfter(read: Read): Promise<Response> {
  const app = new Hono()
  app.use(async (c, next) => {
    if (c.req.method === 'POST') await read(c)
    await next()
  })
  app.use(Lib(passwordConfig().config).handler)
  const origin = 'http://localhost'
  const headers = { host: 'localhost', origin }
  const tokens = await app.request(`${origin}/auth/csrf`, { headers })
  const cookie = tokens.headers
    .getSetCookie()
    .map((each) => each.replace(/;.*/, ''))
    .join('; ')
  const { csrfToken } = (await tokens.json()) as { csrfToken: string }
  return app.request(`${origin}/auth/callback/password`, {
    method: 'POST',
    headers: { ...headers, cookie },
    body: new URLSearchParams({ ...TYPED, csrfToken }),
  })
}

const signedIn = (response: Response): boolean =>
  response.headers.getSetCookie().join().includes('session-token=')

test.each<[string, Read]>([
  ['as text', ({ req }) => req.text()],
  ['as bytes', ({ req }) => req.arrayBuffer()],
  ['as a form', ({ req }) => req.parseBody()],
  ['from a clone', ({ req }) => req.raw.clone().text()],
])('a form that middleware has read %s signs in', async (_how, read) => {
  expect(signedIn(await signInAfter(read))).toBe(true)
})

test('Hono 4.6, which cannot make a form of a text that it has kept, signs in', async () => {
  const response = await signInAfter(async ({ req }) => {
    await req.text()
    // Without the content type, as in its request.ts.
    req.formData = async () => new Response(await req.text()).formData()
  })
  expect(signedIn(response)).toBe(true)
})

test('a body that middleware has read without Hono is rejected', async () => {
  const response = await signInAfter(({ req }) => req.raw.text())
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: 'InvalidRequest' })
})
