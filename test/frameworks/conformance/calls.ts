/** Sign-in, update and sign-out from code of the application. */
import { beforeAll, expect, test } from 'vitest'
import { follow, isSession, nameOf, signIn } from './site.ts'
import type { Open, OpenSite } from './site.ts'

/** Sign-in, update and sign-out from code of the application. */
export function callRows(open: Open): void {
  let site: OpenSite
  beforeAll(async () => {
    site = await open()
  })

  test('signs in, updates and signs out from code of the application', async () => {
    const user = site.user()
    const form = { username: 'ada', password: 'right' }
    const answer = await user.send('/login', { form })
    const location = new URL(answer.headers.location ?? '', site.origin).href
    expect([answer.status, location]).toEqual([303, `${site.origin}/page`])
    expect(nameOf(await user.send('/me'))).toBe('User ada')
    expect(nameOf(await user.send('/update', { form: {} }))).toBe('User ada')
    const left = await user.send('/logout', { form: {} })
    expect(left.status).toBe(303)
    expect((await user.send('/me')).body).toBe('null')
  })

  test.each([
    ['false', false],
    ['true', true],
  ])('keeps the user signed in with %s for remember', async (remember, isPersistent) => {
    const form = { username: 'ada', password: 'right', remember }
    const { setCookies } = await site.user().send('/login', { form })
    const cookie = setCookies.find(isSession)
    expect(cookie).toBeDefined()
    expect(/; (?:expires|max-age)=/i.test(cookie ?? '')).toBe(isPersistent)
  })

  test('says on the sign-in page of a protected page that the user has signed out', async () => {
    const user = site.user()
    await signIn(user)
    const form = { csrfToken: await user.csrfToken(), callbackUrl: '/guarded' }
    const left = await user.send(`${open.basePath}/signout`, { form })
    expect(left.status).toBe(302)
    const page = await follow(user, (await follow(user, left.headers.location)).headers.location)
    expect(page.body).toContain('You have signed out.')
    const own = site.user()
    await signIn(own)
    const headers = { referer: `${site.origin}/guarded` }
    const called = await own.send('/logout', { form: {}, headers })
    const target = new URL(called.headers.location ?? '', site.origin).href
    const again = await follow(own, (await follow(own, target)).headers.location)
    expect(again.body).toContain('You have signed out.')
  })

  test('lets code of the application handle a wrong password', async () => {
    const form = { username: 'ada', password: 'wrong' }
    const { status, body } = await site.user().send('/login', { form })
    expect([status, body]).toEqual([401, 'credentials'])
  })

  test('rejects calls that a page of another origin has sent', async () => {
    const user = site.user()
    await signIn(user)
    const form = { username: 'eve', password: 'right' }
    const foreign = [
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: '' },
      { 'sec-fetch-site': 'none', origin: '' },
      { 'sec-fetch-site': '', origin: 'https://evil.example' },
      { 'sec-fetch-site': '', origin: 'null' },
    ]
    for (const headers of foreign)
      for (const path of ['/login', '/logout', '/update']) {
        const answer = await user.send(path, { form, headers })
        expect([path, headers, answer.status]).toEqual([path, headers, 403])
      }
    for (const path of ['/login', '/logout', '/update']) {
      const headers = { 'sec-fetch-site': 'cross-site' }
      expect((await user.send(path, { method: 'GET', headers })).status).not.toBe(303)
    }
    expect(nameOf(await user.send('/me'))).toBe('User ada')
    const headers = { 'sec-fetch-site': '', origin: site.origin }
    expect((await user.send('/login', { form, headers })).status).toBe(303)
  })
}
