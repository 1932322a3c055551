/** Without `lib.session`, nothing adds the cookies of a refreshed token to a response of Hono. */
import { Hono } from 'hono'
import { afterEach, expect, test, vi } from 'vitest'
import Lib from '../../src/frameworks/hono/index.ts'
import { cookieStore } from '../../src/testing/cookies.ts'
import { issuer } from '../../src/testing/index.ts'
import { oidc, SECRET, silentLog } from '../config.ts'
import { ORIGIN } from './site.ts'

afterEach(() => void vi.useRealTimers())

/** A signed-in user of an application with tokens in cookies, whose token has expired. */
async function openExpired() {
  const op = await issuer({ refreshTokens: 'rotated', accessTokenLifetime: 600 })
  const lib = Lib({
    providers: [oidc(op)],
    secret: SECRET,
    fetch: op.fetch,
    trustHost: true,
    logger: silentLog().logger,
    tokens: {},
  })
  const app = new Hono().use(lib.handler)
  const read = lib.getAccessToken
  app.get('/bare', async (c) => c.json(await read(c, 'op').catch(Object)))
  app.get('/covered', lib.session, async (c) => c.json(await read(c, 'op').catch(Object)))
  app.get('/protected', lib.protect(), async (c) => c.json(await read(c, 'op').catch(Object)))
  const cookies = cookieStore()
  const send = async (path: string, method = 'GET', form?: Record<string, string>) => {
    const url = new URL(path, ORIGIN)
    const cookie = cookies.header({ url, method, initiator: 'same-site' }) ?? ''
    const body = form && new URLSearchParams(form)
    const headers = { cookie, host: url.host }
    const response = await app.request(url, { method, headers, ...(body && { body }) })
    for (const each of response.headers.getSetCookie()) cookies.accept(each, url)
    return response
  }
  const { csrfToken } = (await (await send('/auth/csrf')).json()) as { csrfToken: string }
  const begun = await send('/auth/signin/op', 'POST', { csrfToken, callbackUrl: '/' })
  const { url } = await op.authorize(begun.headers.get('location') ?? '')
  await send(url)
  op.reset()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 })
  return { op, send }
}

test('the refresh token is not spent, and the error says why', async () => {
  const { op, send } = await openExpired()
  const error = await (await send('/bare')).json()
  expect(error).toMatchObject({ type: 'AccessTokenError', cause: { code: 'read_only' } })
  expect(op.requests.token).toBe(0)
})

test.each(['/covered', '/protected'])('behind the middleware, %s refreshes', async (path) => {
  const { op, send } = await openExpired()
  expect(await (await send(path)).json()).toMatchObject({ tokenType: 'Bearer' })
  expect(op.requests.token).toBe(1)
})
