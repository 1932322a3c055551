/** Cookie names and attributes that browsers reject, and names that two cookies share. */
import { describe, expect, test } from 'vitest'
import type { AuthConfig } from '../../src/index.ts'
import { browser } from '../../src/testing/index.ts'
import { enter, passwordConfig } from '../config.ts'
import { ORIGIN, send } from './recording-config.ts'

describe('a configuration of cookies that browsers reject', () => {
  test.each<[string, AuthConfig['cookies'], RegExp]>([
    [
      'a host name with a domain',
      { sessionToken: { name: '__Host-x', options: { domain: 'app.test' } } },
      /__Host-x cannot have options\.domain; call it __Secure-x/,
    ],
    [
      'a host name with a path',
      { csrfToken: { name: '__Host-x', options: { path: '/auth' } } },
      /__Host-x needs options\.path: "\/", or another name/,
    ],
    [
      'a safe name without Secure',
      { callbackUrl: { name: '__Secure-x', options: { secure: false } } },
      /__Secure-x needs options\.secure: true, or another name/,
    ],
    ['a name with a space', { state: { name: 'my state' } }, /my state cannot be set/],
    [
      'SameSite=None without Secure',
      { csrfToken: { options: { sameSite: 'none', secure: false } } },
      /lib\.csrf-token needs options\.secure: true, because browsers reject SameSite=None without it/,
    ],
    [
      'Partitioned without Secure',
      { state: { options: { partitioned: true, secure: false } } },
      /lib\.state needs options\.secure: true, because browsers reject Partitioned without it/,
    ],
    [
      'one name for two cookies',
      { sessionToken: { name: 'mine' }, csrfToken: { name: 'mine' } },
      /cookies sessionToken and csrfToken have the same name \(mine\)/,
    ],
    [
      'the default name of another cookie',
      { callbackUrl: { name: '__Host-lib.resume' } },
      /cookies callbackUrl and resume have the same name \(__Host-lib\.resume\)/,
    ],
    [
      'the name that another cookie has on http',
      { csrfToken: { name: 'lib.session-token' } },
      /cookies sessionToken and csrfToken have the same name \(lib\.session-token\)/,
    ],
    [
      'the name of a chunk of the session',
      { sessionToken: { name: 'mine' }, csrfToken: { name: 'mine.0' } },
      /cookies sessionToken and csrfToken have the same name \(mine\.0\)/,
    ],
    [
      'a name that transactions begin with',
      { state: { name: 'mine' }, csrfToken: { name: 'mine.csrf' } },
      /cookies state and csrfToken have the same name \(mine\.csrf\)/,
    ],
    [
      'attributes that are too long',
      { state: { options: { path: '/p'.repeat(600) } } },
      /\d+ bytes and the limit is 1024/,
    ],
  ])('is rejected with what to write instead: %s', async (_what, cookies, message) => {
    const { config, log } = passwordConfig({ cookies })
    expect((await send(config, '/auth/csrf')).status).toBe(500)
    expect(log.errors).toMatchObject([{ type: 'InvalidConfiguration' }])
    expect(log.errors[0]?.message).toMatch(message)
  })

  test('is rejected when useSecureCookies: false contradicts SameSite=None', async () => {
    const { config, log } = passwordConfig({
      useSecureCookies: false,
      cookies: { sessionToken: { options: { sameSite: 'none' } } },
    })
    expect((await send(config, '/auth/csrf')).status).toBe(500)
    expect(log.errors[0]?.message).toMatch(/lib\.session-token needs options\.secure: true/)
  })

  test('is rejected when a migrated session cookie has the name of another cookie', async () => {
    const { config, log } = passwordConfig({
      migrateSessions: true,
      cookies: { csrfToken: { name: '__Secure-authjs.session-token' } },
    })
    expect((await send(config, '/auth/csrf')).status).toBe(500)
    expect(log.errors[0]?.message).toMatch(/have the same name/)
  })

  test('is accepted with SameSite=None alone: the cookie is Secure, also on http', async () => {
    const cookies = { sessionToken: { options: { sameSite: 'none' } } } as const
    const { config } = passwordConfig({ cookies })
    for (const origin of [ORIGIN, 'http://localhost:3000']) {
      const response = await enter(browser(config, { origin }))
      const written = response.headers
        .getSetCookie()
        .filter((each) => each.includes('session-token'))
      expect(written).toEqual([expect.stringMatching(/; Secure; SameSite=None$/)])
    }
  })
})
