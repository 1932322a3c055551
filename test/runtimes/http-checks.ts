/** What a site with `Auth()` answers on every runtime, over raw HTTP. */
import { rawBytes, rawClient } from '../frameworks/raw-client.ts'
import type { Answer, RawClient } from '../frameworks/raw-client.ts'

/** A request to a running site, and what its response has to be. */
export interface HttpCheck {
  readonly title: string
  readonly expected: unknown
  readonly facts: (user: RawClient, origin: string) => Promise<unknown>
}

export const PASSWORD = 'correct horse battery staple'
export const CALLBACK = '/auth/callback/password'
const HTML_FORM = 'application/x-www-form-urlencoded'

/** Signs in by form. */
export async function enter(
  user: RawClient,
  username = 'ada',
  password: string = PASSWORD,
): Promise<Answer> {
  const form = { csrfToken: await user.csrfToken(), username, password }
  return user.send(CALLBACK, { form })
}

async function sessionUser(user: RawClient): Promise<unknown> {
  return JSON.parse((await user.send('/auth/session')).body)?.user?.name
}

const namesOf = (cookies: readonly string[]) => cookies.map((each) => each.split('=', 1)[0])

/** A check of a status alone. */
function answers(
  status: number,
  title: string,
  [path, request]: Parameters<RawClient['send']>,
): HttpCheck {
  const facts = async (user: RawClient) => (await user.send(path, request)).status
  return { title, expected: status, facts }
}

function post(body: string, type: string): Parameters<RawClient['send']> {
  return ['/auth/signin/github', { method: 'POST', body, headers: { 'content-type': type } }]
}

const SIGN_IN: readonly HttpCheck[] = [
  {
    title: 'sends a CSRF token with its cookie',
    expected: [200, 'application/json', ['lib.csrf-token']],
    async facts(user) {
      const { status, headers, setCookies } = await user.send('/auth/csrf')
      return [status, headers['content-type'], namesOf(setCookies)]
    },
  },
  {
    title: 'shows the sign-in page with its headers',
    expected: [200, 'text/html; charset=utf-8', true, 'private, no-store', true],
    async facts(user) {
      const { status, headers, body } = await user.send('/auth/signin')
      const csp = String(headers['content-security-policy']).startsWith("default-src 'none'")
      const { 'content-type': type, 'cache-control': caching } = headers
      return [status, type, csp, caching, body.includes('<form')]
    },
  },
  {
    title: 'signs in by form',
    expected: [302, '/', true, 'Ada'],
    async facts(user, origin) {
      const { status, headers, setCookies } = await enter(user)
      const { pathname } = new URL(headers.location ?? '', origin)
      const isProtected = setCookies.some((each) =>
        /^lib\.session-token=.*; Path=\/; Expires=.*; HttpOnly; SameSite=Lax$/.test(each),
      )
      return [status, pathname, isProtected, await sessionUser(user)]
    },
  },
  {
    title: 'signs in by JSON',
    expected: [200, ['url'], 'Ada'],
    async facts(user) {
      const json = { csrfToken: await user.csrfToken(), username: 'ada', password: PASSWORD }
      const headers = { 'x-auth-return-redirect': '1' }
      const { status, body } = await user.send(CALLBACK, { json, headers })
      return [status, Object.keys(JSON.parse(body)), await sessionUser(user)]
    },
  },
  {
    title: 'reads a body that is sent in chunks',
    expected: ['HTTP/1.1 302', true],
    async facts(user, origin) {
      const csrfToken = await user.csrfToken()
      const url = new URL(CALLBACK, origin)
      const cookie = user.cookies.header({ url, method: 'POST', initiator: 'same-site' })
      const body = String(new URLSearchParams({ csrfToken, username: 'ada', password: PASSWORD }))
      const head = `POST ${CALLBACK} HTTP/1.1\r\nHost: ${url.host}\r\nCookie: ${cookie}\r\nContent-Type: ${HTML_FORM}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`
      const chunks = [body.slice(0, 20), body.slice(20), ''].map(
        (chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`,
      )
      const answer = await rawBytes(origin, [head, ...chunks])
      return [answer.slice(0, 12), /^set-cookie: lib\.session-token=./im.test(answer)]
    },
  },
  {
    title: 'rejects a wrong password',
    expected: [302, 'CredentialsSignin', []],
    async facts(user, origin) {
      const { status, headers, setCookies } = await enter(user, 'ada', 'wrong')
      const { searchParams } = new URL(headers.location ?? '', origin)
      const sessions = setCookies.filter((each) => each.includes('session-token'))
      return [status, searchParams.get('error'), sessions]
    },
  },
  {
    title: 'rejects a form without CSRF token',
    expected: ['MissingCSRF', undefined],
    async facts(user, origin) {
      const form = { username: 'ada', password: PASSWORD }
      const { headers } = await user.send(CALLBACK, { form })
      const { searchParams } = new URL(headers.location ?? '', origin)
      return [searchParams.get('error'), await sessionUser(user)]
    },
  },
  {
    title: 'redirects to a provider with PKCE and a transaction cookie',
    expected: [302, 'https://github.com', 'S256', true],
    async facts(user) {
      const form = { csrfToken: await user.csrfToken() }
      const { status, headers, setCookies } = await user.send('/auth/signin/github', { form })
      const { origin, searchParams } = new URL(headers.location ?? '')
      const hasTransaction = setCookies.some((each) => /; HttpOnly/.test(each))
      return [status, origin, searchParams.get('code_challenge_method'), hasTransaction]
    },
  },
  {
    title: 'rejects the response of a provider without a transaction',
    expected: [302, '/auth/signin', 'InvalidCheck'],
    async facts(user, origin) {
      const { status, headers } = await user.send('/auth/callback/github?code=a&state=b')
      const { pathname, searchParams } = new URL(headers.location ?? '', origin)
      return [status, pathname, searchParams.get('error')]
    },
  },
  {
    title: 'reads the session in a page of the application',
    expected: ['Hello, stranger', 'Hello, Ada'],
    async facts(user) {
      const before = (await user.send('/')).body
      await enter(user)
      return [before, (await user.send('/')).body]
    },
  },
  {
    title: 'signs out',
    expected: ['Ada', 302, undefined],
    async facts(user) {
      await enter(user)
      const name = await sessionUser(user)
      const form = { csrfToken: await user.csrfToken() }
      const { status } = await user.send('/auth/signout', { form })
      return [name, status, await sessionUser(user)]
    },
  },
  {
    title: 'gives 20 concurrent users their own session',
    expected: Array.from({ length: 20 }, (_, index) =>
      index % 2 === 0 ? 'Hello, stranger' : `Hello, U${index}`,
    ),
    async facts(_user, origin) {
      const users = Array.from({ length: 20 }, () => rawClient(origin))
      const bodies = await Promise.all(
        users.map(async (user, index) => {
          if (index % 2 === 1) await enter(user, `u${index}`)
          return (await user.send('/')).body
        }),
      )
      for (const user of users) user.close()
      return bodies
    },
  },
]

const REQUESTS: readonly HttpCheck[] = [
  {
    title: 'answers HEAD without a body or cookies',
    expected: [200, '', []],
    async facts(user) {
      const { status, body, setCookies } = await user.send('/auth/csrf', { method: 'HEAD' })
      return [status, body, setCookies]
    },
  },
  ...['OPTIONS', 'PUT'].map((method): HttpCheck => ({
    title: `answers ${method} with 405`,
    expected: [405, 'GET, POST'],
    async facts(user) {
      const { status, headers } = await user.send('/auth/session', { method })
      return [status, headers.allow]
    },
  })),
  answers(404, 'answers 404 for an unknown route', ['/auth/unknown']),
  answers(404, 'answers 404 for an encoded spelling of a route', ['/auth/%73ession']),
  answers(200, 'answers a route with a trailing slash', ['/auth/session/']),
  answers(415, 'rejects other media types', post('a=1', 'text/plain')),
  answers(400, 'rejects malformed JSON', post('{"csrfToken":', 'application/json')),
  answers(400, 'rejects duplicate parameters', post('csrfToken=a&csrfToken=b', HTML_FORM)),
  {
    title: 'rejects a body of 300 kB, and answers the next request',
    expected: [413, 200],
    async facts(user, origin) {
      const body = `csrfToken=${'x'.repeat(300_000)}`
      const { status } = await user.send(...post(body, HTML_FORM))
      // On another connection: some servers close the first one.
      const next = rawClient(origin)
      const answer = await next.send('/auth/session')
      next.close()
      return [status, answer.status]
    },
  },
  {
    title: 'rejects a host that is not trusted',
    expected: [400, false],
    async facts(user) {
      const headers = { host: 'evil.example' }
      const answer = await user.send('/auth/signin', { headers })
      return [answer.status, JSON.stringify(answer).includes('evil.example')]
    },
  },
  {
    title: 'never takes a host from the path',
    expected: [false, false],
    async facts(user) {
      const { headers, body } = await user.send('//evil.example/auth/signin')
      return [String(headers.location).includes('evil'), body.includes('://evil.example')]
    },
  },
]

export const httpChecks: readonly HttpCheck[] = [...SIGN_IN, ...REQUESTS]
