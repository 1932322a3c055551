/** Requests of the router itself, and mistakes in its configuration. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { StartSite } from '../../frameworks/conformance/site.ts'
import type { Answer } from '../../frameworks/raw-client.ts'
import { isSession, nameOf, opener, signIn } from '../../frameworks/conformance/site.ts'

/** What a request of the router sends. */
const headers = { accept: '*/*', 'sec-fetch-dest': 'empty' }

/** A member of the redirect that the router receives: objects refer to names and values by their index. */
function memberOf({ body }: Answer, name: string): unknown {
  const values = JSON.parse(body) as (Record<string, number> | string | boolean)[]
  const key = `_${values.indexOf(name)}`
  const found = values.find((each) => typeof each === 'object' && key in each)
  return typeof found === 'object' ? values[found[key] ?? -1] : undefined
}

/** Requests of the router itself, and mistakes in its configuration. */
export function routerRows(
  folder: string,
  start: StartSite,
  { comparesOrigins }: { readonly comparesOrigins: boolean },
): void {
  const open = opener(start)

  test('redirects the router to the sign-in page as a document', async () => {
    const site = await open()
    const answer = await site.user().send('/guarded/tab.data?a=1', { headers })
    const callbackUrl = encodeURIComponent(`${site.origin}/guarded/tab?a=1`)
    expect([answer.status, memberOf(answer, 'redirect'), memberOf(answer, 'reload')]).toEqual([
      202,
      `${site.origin}/auth/signin?callbackUrl=${callbackUrl}`,
      true,
    ])
    expect(answer.body).not.toContain('secret for')
  })

  test('protects every route to which a request of the router leads', async () => {
    const site = await open()
    for (const path of [
      '/guarded.data',
      '/guarded/x.data?_routes=routes%2Fguarded',
      '/guarded.data?_routes=root',
      '/%67uarded.data',
    ])
      expect((await site.user().send(path, { headers })).body).not.toContain('secret for')
  })

  test('loads built-in pages as documents if a link of the router leads to them', async () => {
    const site = await open()
    const answer = await site.user().send('/auth/signin.data?a=1', { headers })
    expect([answer.status, memberOf(answer, 'redirect'), memberOf(answer, 'reload')]).toEqual([
      202,
      `${site.origin}/auth/signin?a=1`,
      true,
    ])
    const page = await site.user().send('/auth/signin', { headers })
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  })

  test('answers to requests of the router for built-in routes with all headers', async () => {
    const answer = await (await open()).user().send('/auth/csrf.data', { headers })
    expect(answer.body).toContain('"csrfToken"')
    expect(answer.headers['cache-control']).toBe('private, no-store')
    expect(answer.setCookies).toHaveLength(1)
  })

  test('extends the session in requests of the router and in pages, and once', async () => {
    const site = await open({ overrides: { session: { updateAge: 0 } } })
    const user = site.user()
    await signIn(user)
    for (const path of ['/page', '/page.data', '/guarded', '/guarded.data']) {
      const answer = await user.send(path)
      expect([path, answer.setCookies.filter(isSession).length]).toEqual([path, 1])
      expect(answer.headers['cache-control']).toBe('private, no-store')
    }
  })

  test('renders client components with the session on the server', async () => {
    const user = (await open()).user()
    expect((await user.send('/page')).body).toContain('<i>unauthenticated: undefined</i>')
    await signIn(user)
    expect((await user.send('/page')).body).toContain('<i>authenticated: User ada</i>')
  })

  test('redirects an action of a page, with its cookies, and as a document', async () => {
    const site = await open()
    const user = site.user()
    const form = { username: 'ada', password: 'right' }
    const answer = await user.send('/form.data', { form, headers })
    expect([answer.status, answer.setCookies.filter(isSession).length]).toEqual([202, 1])
    expect(memberOf(answer, 'reload')).toBe(true)
    expect(nameOf(await user.send('/me'))).toBe('User ada')
    const wrong = await site.user().send('/form', { form: { ...form, password: 'wrong' } })
    expect([wrong.status, wrong.body]).toEqual([200, expect.stringContaining('<b>credentials</b>')])
  })

  test('rejects a form of another origin', async () => {
    const user = (await open()).user()
    const form = { username: 'ada', password: 'right' }
    const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    for (const path of ['/form', '/form.data']) {
      const answer = await user.send(path, { form, headers: foreign })
      // Where React Router does not compare origins, the error of `signIn` fails the action.
      expect([answer.status, answer.setCookies]).toEqual([comparesOrigins ? 400 : 500, []])
    }
  })

  test('answers at the configured base path', async () => {
    const user = (await open({ overrides: { basePath: '/api/auth' } })).user()
    expect((await user.send('/api/auth/session')).body).toBe('null')
    expect((await user.send('/auth/session')).status).toBe(404)
  })

  test('warns of a route file at another path than the base path', async () => {
    const site = await open()
    for (const path of ['/api/auth/session', '/api/auth/csrf', '/api/auth/x'])
      expect((await site.user().send(path)).status).toBe(404)
    expect(site.log.lines.map(([level, code]) => [level, code])).toEqual([
      ['warn', 'mount-mismatch'],
    ])
  })

  test('rejects a form that a middleware has read', async () => {
    const site = await open({ parsers: true })
    const answer = await site.user().send('/auth/signin/op', { form: { a: '1' } })
    expect(answer.status).toBe(400)
    expect(site.log.errors[0]?.message).toContain('already consumed')
  })

  test('bundles no code of the server for the browser', () => {
    const client = join(folder, 'build/client/assets')
    const code = readdirSync(client).map((file) => readFileSync(join(client, file), 'utf8'))
    expect(code.join('')).toContain('SessionProvider')
    expect(code.join('')).not.toMatch(/session-token|AUTH_SECRET|oauth4webapi/)
  })
}
