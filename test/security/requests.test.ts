import { describe, expect, test } from 'vitest'
import { Auth } from '../../src/index.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import { configFor, enter, TYPED } from '../config.ts'
import { errorOf, NAVIGATION, ORIGIN, send, recordingConfig } from './recording-config.ts'

const ROUTES = [
  'csrf',
  'providers',
  'session',
  'signin',
  'signin/op',
  'signout',
  'callback/op',
  'callback/plain',
  'callback/password',
  'error',
]

/** `Request` rejects this method; a server may pass it to us nevertheless. */
class TraceRequest extends Request {
  override get method(): string {
    return 'TRACE'
  }
}

describe('a method that no route accepts', () => {
  test.each(ROUTES)('is rejected on %s before any callback or request', async (route) => {
    const { config, calls } = recordingConfig()
    const url = `${ORIGIN}/auth/${route}`
    const requests = ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'BREW'].map(
      (method) => new Request(url, { method, headers: { accept: 'application/json' } }),
    )
    const trace = new TraceRequest(url, { headers: { accept: 'application/json' } })
    for (const request of [...requests, trace]) {
      const response = await Auth(request, config)
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')).toBe('GET, POST')
      expect(response.headers.getSetCookie()).toEqual([])
      expect(await errorOf(response)).toBe('MethodNotAllowed')
    }
    expect(calls).toEqual([])
  })

  test.each([
    ['POST', 'csrf', 'GET'],
    ['POST', 'providers', 'GET'],
    ['POST', 'error', 'GET'],
    ['GET', 'callback/password?username=ada&password=x', 'POST'],
    ['HEAD', 'callback/password', 'POST'],
  ])('is rejected with the allowed methods (%s %s)', async (method, route, allowed) => {
    const { config, calls } = recordingConfig()
    const response = await send(config, `/auth/${route}`, { method, headers: NAVIGATION })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe(allowed)
    expect(response.headers.getSetCookie()).toEqual([])
    expect(calls).toEqual([])
  })

  test('is explained to a browser on the error page', async () => {
    const { config } = recordingConfig()
    const response = await send(config, '/auth/callback/password', { headers: NAVIGATION })
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await response.text()).toContain('This page cannot be opened directly.')
  })
})

describe('HEAD', () => {
  test.each(['csrf', 'providers', 'session', 'signin', 'signin/op', 'signout', 'error'])(
    'responds like GET on %s, without body and side effects',
    async (route) => {
      const { config, calls } = recordingConfig()
      const tab = browser(config)
      await enter(tab)
      const get = await tab.request(route, {})
      const cookies = tab.cookies.all()
      calls.length = 0
      const head = await tab.request(route, { method: 'HEAD' })
      expect(head.status).toBe(get.status)
      const compared = (response: Response) =>
        [...response.headers].filter(
          ([name]) => !['set-cookie', 'content-security-policy'].includes(name),
        )
      expect(compared(head)).toEqual(compared(get))
      expect(head.headers.has('content-security-policy')).toBe(
        get.headers.has('content-security-policy'),
      )
      expect(await head.text()).toBe('')
      expect(head.headers.getSetCookie()).toEqual([])
      expect(calls).toEqual([])
      expect(tab.cookies.all()).toEqual(cookies)
    },
  )

  test('from a link preview does not consume the authorization code', async () => {
    const op = await issuer()
    const { config } = configFor(op)
    const tab = browser(config)
    const transaction = await tab.begin('op')
    const answer = await op.authorize(transaction.url)
    const preview = await tab.request(answer.url, { method: 'HEAD' })
    expect(preview.status).toBe(200)
    expect(op.requests.token).toBe(0)
    expect((await transaction.comeBack(answer)).headers.get('location')).toBe(ORIGIN)
    expect(await tab.session()).not.toBeNull()
  })

  test('has the status of GET when it fails', async () => {
    const { config } = recordingConfig({
      callbacks: { redirect: () => Promise.reject(new Error('No idea.')) },
    })
    const path = '/auth/signin?callbackUrl=/a'
    const get = await send(config, path, { headers: NAVIGATION })
    const head = await send(config, path, { method: 'HEAD', headers: NAVIGATION })
    expect(get.status).toBe(500)
    expect(head.status).toBe(500)
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
  })
})

describe('a path that is not a route', () => {
  test.each([
    '/authsignin',
    '/auth',
    '/auth/',
    '/auth//signin',
    '//auth/signin',
    '/auth/signin//',
    '/auth/SIGNIN',
    '/AUTH/signin',
    '/auth/%73ignin',
    '/auth/signin;x=1',
    '/auth/signin%00',
    '/auth/..%2fsignin',
    '/auth/signin%2Fop',
    '/auth/signin/op/more',
    '/auth/signin/op//',
    '/auth/signin//op',
    '/auth/session/op',
    '/auth/csrf/undefined',
    '/other/auth/signin',
    '/auth/constructor',
    '/auth/__proto__',
    '/auth/signin/absent',
    '/auth/signin/%6fp',
    '/auth/signin/OP',
    '/auth/signin/constructor',
    '/auth/callback/__proto__',
    '/auth/callback/..%2f..%2fadmin',
    '/auth/callback',
  ])('responds with 404: %s', async (path) => {
    const { config, calls } = recordingConfig()
    for (const method of ['GET', 'POST']) {
      const json = await send(config, path, { method, headers: { accept: 'application/json' } })
      expect(json.status).toBe(404)
      expect(json.headers.getSetCookie()).toEqual([])
      expect(['UnknownAction', 'InvalidProvider']).toContain(await errorOf(json))
      const page = await send(config, path, { method, headers: NAVIGATION })
      expect(page.status).toBe(404)
      expect(await page.text()).toContain('Not found')
    }
    expect(calls).toEqual([])
  })

  test('is a route with one trailing slash', async () => {
    const { config } = recordingConfig()
    expect((await send(config, '/auth/csrf/')).status).toBe(200)
  })

  test.each([
    ['/a.uth', '/axuth'],
    ['/a(uth', '/a'],
    ['/a*uth', '/aaauth'],
    ['/[a-z]+', '/auth'],
    ['/a$', '/a'],
  ])('is compared with the base path %s exactly', async (basePath, other) => {
    const { config } = recordingConfig({ basePath })
    expect((await send(config, `${basePath}/csrf`)).status).toBe(200)
    expect((await send(config, `${other}/csrf`)).status).toBe(404)
  })

  test.each(['', '/', 'auth/', '/auth/'])('is a route below the base path %j', async (basePath) => {
    const { config } = recordingConfig({ basePath })
    const base = basePath.includes('auth') ? '/auth' : ''
    const providers = await send(config, `${base}/providers`)
    expect(await providers.json()).toMatchObject({
      op: { signinUrl: `${ORIGIN}${base}/signin/op` },
    })
  })
})

describe('an unknown provider', () => {
  test('responds with 404 and does not list the configured providers', async () => {
    const { config, log } = recordingConfig()
    const response = await send(config, '/auth/signin/absent', {
      method: 'POST',
      headers: { accept: 'application/json' },
    })
    expect(response.status).toBe(404)
    expect(await response.text()).not.toMatch(/password|plain|"op"/)
    expect(log.errors).toMatchObject([{ type: 'InvalidProvider' }])
    expect(log.errors[0]?.message).not.toMatch(/password|plain|absent/)
  })
})

describe('opening a page', () => {
  test.each(['signout', 'signout?csrfToken=x&callbackUrl=/', 'signin/op', 'signin/password'])(
    'has no side effect: %s',
    async (route) => {
      const { config, calls } = recordingConfig()
      const tab = browser(config)
      await enter(tab, TYPED)
      calls.length = 0
      const response = await tab.request(route)
      expect(response.status).toBe(200)
      expect(calls.filter((call) => call !== 'callback redirect')).toEqual([])
      expect(tab.cookies.all().filter(({ name }) => name.includes('state'))).toEqual([])
      expect(await tab.session()).not.toBeNull()
    },
  )

  test.each(['csrfToken=EVIL', 'providers=EVIL', 'theme=EVIL', 'choices=EVIL', 'title=EVIL'])(
    'ignores page content in the query (%s)',
    async (query) => {
      const { config } = recordingConfig()
      const tab = browser(config)
      const token = await tab.csrfToken()
      const page = await (await tab.request(`signin?${query}`)).text()
      expect(page).not.toContain('EVIL')
      expect(page).toContain(`name="csrfToken" value="${token}"`)
      expect(page).toContain('Continue with OP')
    },
  )
})
