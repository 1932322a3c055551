import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Auth } from '../../src/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import type { Browser } from '../../src/testing/index.ts'
import { configFor, enter, oidc, passwordConfig } from '../config.ts'
import { cookieFor, SESSION, cookiesSetBy } from '../sessions.ts'
import { ORIGIN, send } from './recording-config.ts'

/** Attributes of the cookies that a response sets, by name. */
function attributesIn({ headers }: Response): Record<string, string> {
  const split = (cookie: string) => /^([^=]+)=[^;]*; (.*)$/.exec(cookie)?.slice(1) ?? []
  return Object.fromEntries(headers.getSetCookie().map(split)) as Record<string, string>
}

/** A browser with a chunked session cookie. */
async function signedInWithMuch(notes = 'n'.repeat(7000)): Promise<[Browser, AuthConfig]> {
  const { config } = passwordConfig({ callbacks: { jwt: ({ token }) => ({ ...token, notes }) } })
  const tab = browser(config)
  await enter(tab)
  return [tab, config]
}

async function sessionWith(cookie: string, config: AuthConfig): Promise<[unknown, string[]]> {
  const response = await send(config, '/auth/session', { headers: { cookie } })
  return [await response.json(), cookiesSetBy(response)]
}

describe('a cookie that the library sets', () => {
  const EXPIRES = /^Path=\/; Expires=[^;]+ GMT; HttpOnly; Secure; SameSite=Lax$/
  const BOUND = 'Path=/; HttpOnly; Secure; SameSite=Lax'

  test('is bound to the host on https, and scripts cannot read it', async () => {
    const op = await issuer()
    const { config } = configFor(op)
    const tab = browser(config, { issuer: op })
    const page = await tab.request('signin?callbackUrl=/a')
    expect(attributesIn(page)).toEqual({
      '__Host-lib.callback-url': BOUND,
      '__Host-lib.csrf-token': BOUND,
    })
    const started = attributesIn(await tab.post('signin/op'))
    expect(Object.keys(started)).toEqual([
      expect.stringMatching(/^__Host-lib\.state\.[0-9a-f]{8}$/),
    ])
    expect(Object.values(started)).toEqual([`Max-Age=600; ${BOUND}`])
    const done = attributesIn(await tab.signIn('op'))
    expect(done[SESSION]).toMatch(EXPIRES)
    expect(done['__Host-lib.csrf-token']).toBe(BOUND)
  })

  test('has another name on http, because browsers reject prefixes there', async () => {
    const { config } = passwordConfig()
    const tab = browser(config, { origin: 'http://localhost:3000' })
    await enter(tab)
    expect(await tab.session()).not.toBeNull()
    const names = tab.cookies.all().map(({ name, secure }) => [name, secure])
    expect(names).toEqual([
      ['lib.csrf-token', false],
      ['lib.session-token', false],
      ['lib.known', false],
    ])
  })

  test.each(['__Host-mine', '__Secure-mine'])(
    'is Secure on http if its name requires it: %s',
    async (name) => {
      const { config } = passwordConfig({ cookies: { sessionToken: { name } } })
      const response = await enter(browser(config, { origin: 'http://localhost:3000' }))
      expect(attributesIn(response)[name]).toMatch(EXPIRES)
      expect(attributesIn(response)['lib.csrf-token']).not.toContain('Secure')
    },
  )

  test.each(['http', 'http, https', 'ftp', ''])(
    'stays secure when a header reports an insecure connection (%j)',
    async (claim) => {
      const { config } = passwordConfig()
      const tab = browser(config, { headers: { 'x-forwarded-proto': claim } })
      const cookies = (await enter(tab)).headers.getSetCookie()
      expect(cookies).toHaveLength(3)
      for (const cookie of cookies) expect(cookie).toMatch(/^__Host-.*; Secure/)
    },
  )

  test.each<[string, Partial<AuthConfig>, Record<string, string>]>([
    ['a proxy reports https', {}, { 'x-forwarded-proto': 'https' }],
    ['the configured origin is https', { origin: ORIGIN }, {}],
    ['useSecureCookies is true', { useSecureCookies: true }, {}],
  ])('is secure on a connection that looks like http when %s', async (_why, overrides, headers) => {
    const { config } = passwordConfig(overrides)
    const response = await Auth(new Request('http://app.test/auth/csrf', { headers }), config)
    expect(attributesIn(response)).toEqual({ '__Host-lib.csrf-token': BOUND })
  })

  test('is shared with subdomains under a __Secure- name', async () => {
    const options = { domain: 'app.test' }
    const { config } = passwordConfig({ cookies: { sessionToken: { options } } })
    const tab = browser(config)
    const done = attributesIn(await enter(tab))
    expect(done['__Secure-lib.session-token']).toContain('Domain=app.test; Path=/; ')
    const left = await tab.post('signout')
    expect(left.headers.getSetCookie()).toContain(
      '__Secure-lib.session-token=; Max-Age=0; Domain=app.test; Path=/; HttpOnly; Secure; SameSite=Lax',
    )
    expect(await tab.session()).toBeNull()
  })

  test('has SameSite=None only for a sign-in with response_mode form_post', async () => {
    const op = await issuer()
    const posting = oidc(op, { authorization: { params: { response_mode: 'form_post' } } })
    const { config } = configFor(op, { providers: [posting] })
    const tab = browser(config, { issuer: op })
    const started = attributesIn(await tab.post('signin/op', { callbackUrl: '/a' }))
    const state = Object.entries(started).filter(([name]) => name.includes('state'))
    expect(state).toHaveLength(1)
    expect(state[0]?.[1]).toBe('Max-Age=600; Path=/; HttpOnly; Secure; SameSite=None')
    expect(started['__Host-lib.callback-url']).toBe(BOUND)
    await tab.signIn('op')
    expect(await tab.session()).not.toBeNull()
    const lax = tab.cookies.all().filter(({ name }) => !name.includes('state'))
    for (const cookie of lax) expect(cookie.sameSite).toBe('lax')
  })
})

describe('a corrupt or forged cookie', () => {
  const EACH = ['-1', '01', '1e3', '9999', '0x0', '+0', '0.1']

  test.each(EACH)('is not a chunk of a session: .%s', async (number) => {
    const { config } = passwordConfig()
    const token = await cookieFor({ sub: '1', name: 'Ada' })
    const cookie = token.replace(`${SESSION}=`, `${SESSION}.${number}=`)
    const [session] = await sessionWith(cookie, config)
    expect(session).toBeNull()
    const start = token.slice(0, 200).replace('=', '.0=')
    const chunks = `${start}; ${SESSION}.${number}=${token.slice(200)}`
    const [broken, written] = await sessionWith(chunks, config)
    expect(broken).toBeNull()
    expect(written).toContain(`-${SESSION}.0`)
  })

  test('ends a chunked session if any bit of it was changed', async () => {
    const [tab, config] = await signedInWithMuch()
    const chunks = tab.cookies.all().filter(({ name }) => name.startsWith(SESSION))
    expect(chunks).toHaveLength(3)
    const header = (values: readonly string[]) =>
      chunks.map(({ name }, index) => `${name}=${values[index] ?? ''}`).join('; ')
    const values = chunks.map(({ value }) => value)
    expect((await sessionWith(header(values), config))[0]).not.toBeNull()
    const cleared = chunks.map(({ name }) => `-${name}`)
    await fc.assert(
      fc.asyncProperty(fc.nat(2), fc.nat(3000), async (chunk, at) => {
        const changed = values.map((value, index) => {
          if (index !== chunk) return value
          const position = at % value.length
          const other = value[position] === 'A' ? 'B' : 'A'
          return value.slice(0, position) + other + value.slice(position + 1)
        })
        expect(await sessionWith(header(changed), config)).toEqual([null, cleared])
      }),
      { numRuns: 50 },
    )
  })

  test('ends a session if only unused bits of the last character of a part were changed', async () => {
    const { config } = passwordConfig()
    const tab = browser(config)
    await enter(tab)
    const cookie = tab.cookies.all().find(({ name }) => name === SESSION)
    const parts = (cookie?.value ?? '').split('.')
    const sent = async (value: string) => (await sessionWith(`${SESSION}=${value}`, config))[0]
    expect(await sent(parts.join('.'))).not.toBeNull()
    // The iv and the tag: 4 and 2 unused bits. The next letter differs in the lowest of them.
    for (const at of [2, 4]) {
      const part = parts[at] ?? ''
      const changed = part.slice(0, -1) + String.fromCharCode(part.charCodeAt(part.length - 1) + 1)
      expect(Buffer.from(changed, 'base64url')).toEqual(Buffer.from(part, 'base64url'))
      expect(await sent(parts.with(at, changed).join('.'))).toBeNull()
    }
  })

  test('does not end a valid session that is sent with it', async () => {
    const [tab, config] = await signedInWithMuch()
    const genuine = tab.cookies.all().map(({ name, value }) => `${name}=${value}`)
    for (const name of [SESSION, '__proto__', 'constructor', `${SESSION}-legacy`]) {
      const [session] = await sessionWith([`${name}=x`, ...genuine].join('; '), config)
      expect(session).not.toBeNull()
    }
  })

  test.each(['%E0%A4%A', '%', '"', '{}', 'null', '__proto__', 'a.b.c.d.e', '\u00e9', '....'])(
    'is ignored: %s',
    async (value) => {
      const { config, log } = passwordConfig()
      const names = ['session-token', 'session-token.0', 'csrf-token', 'callback-url', 'state.x']
      const cookie = names.map((name) => `__Host-lib.${name}=${value}`).join('; ')
      for (const path of ['session', 'csrf', 'signin', 'signout', 'error', 'callback/x']) {
        const { status } = await send(config, `/auth/${path}`, { headers: { cookie } })
        expect(status).toBe(path === 'callback/x' ? 404 : 200)
      }
      expect(log.errors).toHaveLength(1)
    },
  )

  test.each([
    'nowhere',
    'javascript:alert(1)',
    'data:text/html,x',
    'blob:https://app.test/x',
    '//',
  ])('is deleted if it contains an invalid return URL: %s', async (value) => {
    const { config } = passwordConfig()
    const tab = browser(config)
    tab.cookies.set('__Host-lib.callback-url', encodeURIComponent(value))
    const response = await tab.request('signin')
    expect(response.status).toBe(200)
    expect(await response.text()).toMatch(new RegExp(`name="callbackUrl"\\s+value="${ORIGIN}"`))
    expect(cookiesSetBy(response)).toContain('-__Host-lib.callback-url')
    expect((await enter(tab)).headers.get('location')).toBe(ORIGIN)
  })
})
