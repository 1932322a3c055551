/** Sign-in through the built-in routes. */
import { beforeAll, expect, test } from 'vitest'
import { installKeepingResponse } from '../../setup/header-keeping-response.ts'
import type { RawRequest } from '../raw-client.ts'
import { isSession, nameOf, op, signIn } from './site.ts'
import type { Exceptions } from './index.ts'
import type { Open, OpenSite } from './site.ts'

/** Sign-in through the built-in routes. */
export function signInRows(open: Open, exceptions: Exceptions): void {
  let site: OpenSite
  beforeAll(async () => {
    site = await open()
  })

  test('signs in with credentials by form', async () => {
    const user = site.user()
    const answer = await signIn(user)
    expect(answer.status).toBe(302)
    expect(answer.setCookies.filter(isSession)).toHaveLength(1)
    expect(answer.setCookies.find(isSession)).toMatch(
      /; Path=\/; Expires=.*; HttpOnly; SameSite=Lax$/,
    )
    expect(nameOf(await user.send('/me'))).toBe('User ada')
    expect((await user.send('/page')).body).toContain('User ada')
  })

  test('signs in with credentials by JSON', async () => {
    const user = site.user()
    const json = { csrfToken: await user.csrfToken(), username: 'ada', password: 'right' }
    const headers = { 'x-auth-return-redirect': '1' }
    const answer = await user.send(`${open.basePath}/callback/credentials`, { json, headers })
    expect(JSON.parse(answer.body)).toEqual({ url: site.origin })
    expect(nameOf(await user.send('/me'))).toBe('User ada')
  })

  test('signs in at an OpenID provider', async () => {
    const user = site.user()
    const form = { csrfToken: await user.csrfToken(), callbackUrl: '/page' }
    const begun = await user.send(`${open.basePath}/signin/op`, { form })
    const { url } = await op.authorize(begun.headers.location ?? '')
    const { pathname, search } = new URL(url)
    const answer = await user.send(pathname + search)
    expect([answer.status, answer.headers.location]).toEqual([302, `${site.origin}/page`])
    expect(nameOf(await user.send('/me'))).toBe('Ada Lovelace')
  })

  test('reports a wrong password on the sign-in page', async () => {
    const user = site.user()
    const form = { csrfToken: await user.csrfToken(), username: 'ada', password: 'wrong' }
    const { status, headers } = await user.send(`${open.basePath}/callback/credentials`, { form })
    expect(status).toBe(302)
    expect(headers.location).toContain(
      `${open.basePath}/signin?error=CredentialsSignin&code=credentials`,
    )
  })

  test('reads null for signed-out users and forged cookies', async () => {
    const user = site.user()
    expect((await user.send('/me')).body).toBe('null')
    const cookie = 'lib.session-token=eyJhbGciOiJkaXIifQ..forged'
    expect((await user.send('/me', { headers: { cookie } })).body).toBe('null')
  })

  test('shows the sign-in page with its headers', async () => {
    const { status, headers, body } = await site.user().send(`${open.basePath}/signin`)
    expect(status).toBe(200)
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['cache-control']).toBe('private, no-store')
    expect(body).toContain('<form')
  })

  test('rejects a form without CSRF token, with that of another browser, and from another site', async () => {
    const [user, other] = [site.user(), site.user()]
    const stolen = await other.csrfToken()
    const fields = { username: 'ada', password: 'right' }
    const rejects = async (request: RawRequest) => {
      const answer = await user.send(`${open.basePath}/callback/credentials`, request)
      if (request.initiator === 'cross-site' && exceptions.rejectsForeignForms)
        expect(answer.status).toBe(403)
      else expect(answer.headers.location).toContain('error=MissingCSRF')
      expect(answer.setCookies.some(isSession)).toBe(false)
    }
    await rejects({ form: fields })
    await rejects({ form: { ...fields, csrfToken: stolen } })
    const form = { ...fields, csrfToken: await user.csrfToken() }
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    await rejects({ form, headers, initiator: 'cross-site' })
  })

  test('never sends a cookie or session of one user to another', async () => {
    const users = Array.from({ length: 100 }, (_, index) => ({
      id: `u${index}`,
      user: site.user(),
    }))
    await Promise.all(
      users.map(async ({ id, user }) => {
        const answer = await signIn(user, id)
        expect(answer.setCookies.filter(isSession)).toHaveLength(1)
      }),
    )
    const tokens = new Set(users.map(({ user }) => user.cookies.get('lib.session-token')?.value))
    expect(tokens.size).toBe(100)
    await Promise.all(
      users.map(async ({ id, user }) => {
        expect(nameOf(await user.send('/me'))).toBe(`User ${id}`)
        expect((await user.send('/page')).body).toContain(`User ${id}<`)
      }),
    )
    expect((await site.user().send('/me')).body).toBe('null')
  })

  test('gives 20 concurrent requests of signed-in and signed-out users their own session', async () => {
    const users = Array.from({ length: 10 }, () => site.user())
    await Promise.all(users.map(async (user, index) => signIn(user, `u${index}`)))
    const requests = users.flatMap((user) => [user.send('/me'), site.user().send('/me')])
    const names = (await Promise.all(requests)).map(nameOf)
    expect(names).toEqual(users.flatMap((_, index) => [`User u${index}`, undefined]))
  })

  test('keeps the cookies of users apart with a Response that keeps its Headers', async () => {
    const restore = installKeepingResponse()
    try {
      const own = await open({ overrides: { session: { updateAge: 0 } } })
      const users = Array.from({ length: 100 }, () => own.user())
      await Promise.all(
        users.map(async (user, index) => {
          const answer = await signIn(user, `u${index}`)
          const { body, setCookies } = await user.send('/me')
          expect(JSON.parse(body).user.name).toBe(`User u${index}`)
          for (const cookies of [answer.setCookies, setCookies])
            expect(cookies.filter(isSession)).toHaveLength(1)
        }),
      )
      const guest = await own.user().send(`${open.basePath}/session`)
      expect([guest.body, guest.setCookies]).toEqual(['null', []])
    } finally {
      restore()
    }
  })
}
