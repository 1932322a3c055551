/** Server functions, requests of the router, and mistakes in the configuration. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { OpenSite, StartSite } from '../../frameworks/conformance/site.ts'
import { isSession, nameOf, opener, signIn } from '../../frameworks/conformance/site.ts'
import type { RawClient } from '../../frameworks/raw-client.ts'

/** What the browser sends with a call of a server function. */
const CALL = {
  accept: 'application/json',
  'sec-fetch-dest': 'empty',
  'sec-fetch-site': 'same-origin',
  'x-tsr-serverfn': 'true',
}

const FORM = { username: 'ada', password: 'right' }

/** The URLs of the server functions that a page contains: the form, and the secret. */
async function functionsOf(user: RawClient): Promise<{ action: string; secret: string }> {
  const { body } = await user.send('/form')
  const [, action = ''] = /action="([^"]+)"/.exec(body) ?? []
  const [, secret = ''] = /<a href="([^"]+)"/.exec(body) ?? []
  return { action, secret }
}

/** Server functions, requests of the router, and mistakes in the configuration. */
export function startRows(folder: string, start: StartSite): void {
  const open = opener(start)
  let site: OpenSite
  beforeAll(async () => {
    site = await open()
  })

  test('redirects a page whose loader calls a protected server function', async () => {
    const user = site.user()
    const answer = await user.send('/function?a=1')
    const location = new URL(answer.headers.location ?? '', site.origin)
    expect([answer.status, location.pathname]).toEqual([302, '/auth/signin'])
    expect(location.searchParams.get('callbackUrl')).toBe(`${site.origin}/function?a=1`)
    await signIn(user)
    expect((await user.send('/function')).body).toContain('secret for User ada')
  })

  test('applies a rule to each path that the router rewrites to its own', async () => {
    const callbacks = {
      authorized: ({ url }: { url: URL }) => !url.pathname.startsWith('/guarded'),
    }
    const user = (await open({ overrides: { callbacks } })).user()
    for (const path of ['/guarded/data', '/german/guarded/data', '/german/GUARDED/%64ata/'])
      expect([path, (await user.send(path)).status]).toEqual([path, 302])
    const all = { authorized: ({ url }: { url: URL }) => /guarded/.test(url.pathname) }
    const visitor = (await open({ overrides: { callbacks: all } })).user()
    for (const path of ['/guarded/data', '/german/guarded/data', '/german/guarded/%64ata'])
      expect([path, (await visitor.send(path)).status]).toEqual([path, 200])
  })

  test('rejects calls of a protected server function with 401, as an error', async () => {
    const user = site.user()
    const { secret } = await functionsOf(user)
    const answer = await user.send(secret, { headers: CALL })
    expect([answer.status, answer.body]).toEqual([401, '{"error":"SessionRequired"}'])
    // With which the caller in the browser fails, instead of receiving the response as a result.
    expect(answer.headers['x-tss-raw']).toBe('thrown')
    await signIn(user)
    expect((await user.send(secret, { headers: CALL })).body).toContain('secret for User ada')
  })

  test('renders no data of a protected server function that rejects the user', async () => {
    const authorized = () => new Response(null, { status: 403 })
    const user = (await open({ overrides: { callbacks: { authorized } } })).user()
    await signIn(user)
    const { secret } = await functionsOf(user)
    const call = await user.send(secret, { headers: CALL })
    expect([call.status, call.headers['x-tss-raw']]).toEqual([403, 'thrown'])
    const page = await user.send('/function')
    expect(page.status).toBe(500)
    expect(page.body).not.toContain('secret for')
  })

  test('extends the session in server functions and in pages, and once', async () => {
    const extending = await open({ overrides: { session: { updateAge: 0 } } })
    const user = extending.user()
    await signIn(user)
    const { secret } = await functionsOf(user)
    for (const [path, headers] of [
      ['/page', {}],
      ['/function', {}],
      [secret, CALL],
    ] as const) {
      const answer = await user.send(path, { headers })
      expect([path, answer.setCookies.filter(isSession).length]).toEqual([path, 1])
      expect(answer.headers['cache-control']).toBe('private, no-store')
    }
  })

  test('keeps the cookies of a user out of a response that the application sends again', async () => {
    const extending = await open({ overrides: { session: { updateAge: 0 } } })
    const user = extending.user()
    await signIn(user)
    expect((await user.send('/shared')).setCookies.filter(isSession)).toHaveLength(1)
    expect((await extending.user().send('/shared')).setCookies).toEqual([])
  })

  test('signs in by the form of a server function, without scripts', async () => {
    const user = site.user()
    const { action } = await functionsOf(user)
    const form = { ...FORM, redirectTo: '/page' }
    const answer = await user.send(action, { form })
    const location = new URL(answer.headers.location ?? '', site.origin).href
    expect([answer.status, location]).toEqual([303, `${site.origin}/page`])
    expect(nameOf(await user.send('/me'))).toBe('User ada')
    const wrong = await site.user().send(action, { form: { ...FORM, password: 'wrong' } })
    expect(wrong.setCookies.filter(isSession)).toEqual([])
  })

  test('redirects the router after a call of a server function, and as a document', async () => {
    const user = site.user()
    const { action } = await functionsOf(user)
    const answer = await user.send(action, {
      form: { ...FORM, redirectTo: '/page' },
      headers: CALL,
    })
    expect(JSON.parse(answer.body)).toMatchObject({
      isSerializedRedirect: true,
      reloadDocument: true,
      href: expect.stringMatching(/\/page$/),
    })
    expect(answer.setCookies.filter(isSession)).toHaveLength(1)
    expect(nameOf(await user.send('/me'))).toBe('User ada')
  })

  test('redirects to a provider, with the cookie of the transaction', async () => {
    const user = site.user()
    const { action } = await functionsOf(user)
    const answer = await user.send(action, { form: { provider: 'op' } })
    expect(answer.status).toBe(303)
    expect(new URL(answer.headers.location ?? '').searchParams.get('response_type')).toBe('code')
    expect(answer.setCookies).not.toEqual([])
  })

  test('rejects a form of another origin', async () => {
    const user = site.user()
    const { action } = await functionsOf(user)
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    const answer = await user.send(action, { form: FORM, headers })
    expect([answer.status, answer.setCookies]).toEqual([403, []])
  })

  test('renders client components with the session on the server', async () => {
    const user = site.user()
    expect((await user.send('/page')).body).toContain('<i>unauthenticated: undefined</i>')
    await signIn(user)
    expect((await user.send('/page')).body).toContain('<i>authenticated: User ada</i>')
  })

  test('answers at the configured base path', async () => {
    const user = (await open({ overrides: { basePath: '/api/auth' } })).user()
    expect((await user.send('/api/auth/session')).body).toBe('null')
    expect((await user.send('/auth/session')).status).toBe(404)
  })

  test('warns of a route file at another path than the base path', async () => {
    const other = await open()
    for (const path of ['/api/auth/session', '/api/auth/csrf', '/api/auth/x'])
      expect((await other.user().send(path)).status).toBe(404)
    expect(other.log.lines.map(([level, code]) => [level, code])).toEqual([
      ['warn', 'mount-mismatch'],
    ])
  })

  test('signs no user in if the middleware that sets cookies is missing', async () => {
    const startWithout: StartSite = (given) => {
      const options = { ...given, withoutMiddleware: true }
      return start(options)
    }
    const user = (await opener(startWithout)()).user()
    const answer = await user.send('/login', { form: FORM })
    expect([answer.status, answer.setCookies]).toEqual([500, []])
    expect((await signIn(user)).setCookies.filter(isSession)).toHaveLength(1)
    expect(nameOf(await user.send('/me'))).toBe('User ada')
  })

  test('rejects a form that a middleware has read', async () => {
    const parsing = await open({ parsers: true })
    const answer = await parsing.user().send('/auth/signin/op', { form: { a: '1' } })
    expect(answer.status).toBe(400)
    expect(parsing.log.errors[0]?.message).toContain('already consumed')
  })

  test('bundles no code of the server for the browser', () => {
    const client = join(folder, 'dist/client/assets')
    const code = readdirSync(client).map((file) => readFileSync(join(client, file), 'utf8'))
    expect(code.join('')).toContain('SessionProvider')
    expect(code.join('')).not.toMatch(/session-token|AUTH_SECRET|oauth4webapi/)
  })
}
