/** Requests that reach a protected route of a router under a path that a URL parser reads differently. */
import { afterAll, describe, expect, test } from 'vitest'
import Lib from '../../src/frameworks/node/index.ts'
import type { LibConfig, NodeRequest, NodeResponse } from '../../src/frameworks/node/index.ts'
import Sveltekit from '../../src/frameworks/sveltekit/index.ts'
import { passwordConfig, TYPED } from '../config.ts'
import { siteConfig } from './conformance/site.ts'
import type { RunningSite, SiteConfig } from './conformance/site.ts'
import { rawClient } from './raw-client.ts'
import { listen } from './servers/listen.ts'

const ends: (() => unknown)[] = []
afterAll(async () => {
  for (const end of ends) await end()
})

type Respond = (req: NodeRequest, res: NodeResponse) => Promise<void>

/** A site that protects every path. */
async function protectedSite(overrides: Partial<SiteConfig> = {}): Promise<RunningSite> {
  const lib = Lib(siteConfig(overrides).config as LibConfig)
  const respond: Respond = async (req, res) => {
    if (await lib.protect(req, res)) res.end('secret')
  }
  const site = await listen((req, res) => void respond(req, res))
  ends.push(() => site.stop())
  return site
}

async function send({ origin }: RunningSite, path: string) {
  const user = rawClient(origin)
  ends.push(() => user.close())
  return user.send(path)
}

describe('protect responds with 400 to', () => {
  test.each([
    '//x/auth/signin',
    '//x/guarded',
    'http://x/guarded',
    '/%61dmin/..%2fx',
    '/%61dmin/..%5cx',
    '/%61dmin/%ff',
    '/%2fx/auth/signin',
  ])('%s', async (path) => {
    for (const overrides of [{}, { callbacks: { authorized: () => true } }]) {
      const { status, body, headers } = await send(await protectedSite(overrides), path)
      expect([status, headers.location]).toEqual([400, undefined])
      expect(body).not.toContain('secret')
    }
  })
})

test('authorized is asked about a path without its doubled slashes, too', async () => {
  const authorized = ({ auth, url }: { auth: unknown; url: URL }) =>
    auth !== null || !url.pathname.startsWith('/admin/users')
  const site = await protectedSite({ callbacks: { authorized } })
  expect((await send(site, '/admin')).body).toBe('secret')
  expect((await send(site, '/admin//users')).body).toBe('')
  expect((await send(site, '/admin%2f%2fusers')).body).toBe('')
})

test('authorized is asked about the decoded path, although it returned an object for the path as sent', async () => {
  const authorized = ({ url }: { url: URL }) =>
    url.pathname.startsWith('/admin') ? null : { role: 'visitor' }
  const site = await protectedSite({ callbacks: { authorized: authorized as never } })
  expect((await send(site, '/page')).body).toBe('secret')
  expect((await send(site, '/%61dmin')).body).toBe('')
})

test('an error of the next handler does not run it again', async () => {
  const lib = Lib(siteConfig().config as LibConfig)
  const calls: unknown[] = []
  const failing = Promise.reject(new Error('The page failed.'))
  failing.catch(() => undefined)
  const site = await listen((req, res) => {
    const next = (error?: unknown): unknown => {
      calls.push(error)
      res.end('once')
      return failing
    }
    lib.handler(req, res, next)
  })
  ends.push(() => site.stop())
  expect((await send(site, '/')).body).toBe('once')
  expect(calls).toEqual([undefined])
})

test.each([
  ['signIn', { redirect: 'false', username: 'ada', password: 'right' }],
  ['signOut', { redirect: 'false' }],
] as const)(
  '%s redirects, although a field of the form is redirect=false',
  async (call, fields) => {
    const lib = Lib(siteConfig().config as LibConfig)
    const respond: Respond = async (req, res) => {
      if (call === 'signIn') await lib.signIn(req, res, 'credentials', { ...fields } as never)
      else await lib.signOut(req, res, { ...fields } as object)
    }
    const site = await listen((req, res) => void respond(req, res))
    ends.push(() => site.stop())
    const user = rawClient(site.origin)
    ends.push(() => user.close())
    expect((await user.send('/', { form: {} })).status).toBe(303)
  },
)

test('a form action of SvelteKit cannot replace configured authorization parameters', async () => {
  const { config } = siteConfig()
  const [op, ...others] = config.providers ?? []
  const params = { scope: 'openid', acr_values: 'mfa' }
  const lib = Sveltekit({
    ...config,
    providers: [{ ...Object(op), authorization: { params } }, ...others],
  } as never)
  const fields = {
    providerId: 'op',
    'authorizationParams-acr_values': 'password',
    'authorizationParams-login_hint': 'ada',
  }
  const origin = 'http://localhost:5173'
  const headers = { host: 'localhost:5173', origin }
  const body = new URLSearchParams(fields)
  const request = new Request(`${origin}/login`, { method: 'POST', body, headers })
  const cookies = { set: () => undefined, get: () => undefined }
  const event: unknown = { request, url: new URL(request.url), locals: {}, cookies }
  const leaving: unknown = await lib.signIn(event as never).catch((error: unknown) => error)
  const url = new URL(String(Object(leaving).location))
  expect(url.searchParams.get('acr_values')).toBe('mfa')
  expect(url.searchParams.get('login_hint')).toBe('ada')
})

test('a form action of SvelteKit returns a CredentialsSignin of another copy of the package as a failure', async () => {
  const foreign = Object.assign(new Error('no'), { type: 'CredentialsSignin', code: 'locked' })
  const { config } = passwordConfig({}, { authorize: () => Promise.reject(foreign) })
  const origin = 'http://localhost:5173'
  const headers = { host: 'localhost:5173', origin }
  const body = new URLSearchParams({ providerId: 'password', ...TYPED })
  const request = new Request(`${origin}/login`, { method: 'POST', body, headers })
  const event: unknown = { request, url: new URL(request.url), locals: {}, cookies: {} }
  const failure: unknown = await Sveltekit(config).signIn(event as never)
  expect(failure).toMatchObject({ status: 400, data: { error: 'locked' } })
})
