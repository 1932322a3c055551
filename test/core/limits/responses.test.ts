/** Responses to an exhausted limit, and the option that switches limits off (acceptance D8). */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Auth, raw } from '../../../src/index.ts'
import { browser } from '../../../src/testing/index.ts'
import { enter } from '../../config.ts'
import { stopDate } from '../../oauth.ts'
import { guess, site, WRONG } from './site.ts'

// The time to wait is what remains of an interval.
beforeEach(stopDate)
afterEach(() => void vi.useRealTimers())

describe('the response', () => {
  test('to a program is 429, with the time to wait', async () => {
    const { from } = site()
    const tab = from('192.0.2.1')
    for (let attempt = 0; attempt < 5; attempt++) await guess(tab)
    const { csrfToken } = await (await tab.request('csrf')).json()
    const response = await tab.request('callback/password', {
      method: 'POST',
      headers: { accept: 'application/json' },
      json: { ...WRONG, csrfToken },
    })
    expect(response.status).toBe(429)
    expect(Number(response.headers.get('retry-after'))).toBe(180)
    expect(await response.json()).toMatchObject({ error: 'TooManyAttempts' })
  })

  test('to a form is the sign-in page, which shows when to try again', async () => {
    const { from } = site()
    const tab = from('192.0.2.1')
    for (let attempt = 0; attempt < 5; attempt++) await guess(tab)
    const response = await enter(tab, WRONG)
    const location = new URL(response.headers.get('location') ?? '')
    expect(location.pathname + location.search).toBe(
      '/auth/signin?error=TooManyAttempts&retryAfter=180',
    )
    const page = await (await tab.request(`signin${location.search}`)).text()
    expect(page).toContain('Too many attempts. Try again in 3 minutes.')
  })

  test.each(['<b>', '1e9', '-5', '999999999999', '١٢'])(
    'of a link with retryAfter=%s shows no time',
    async (text) => {
      const tab = site().from('192.0.2.1')
      const query = new URLSearchParams({ error: 'TooManyAttempts', retryAfter: text })
      const page = await (await tab.request(`signin?${query}`)).text()
      expect(page).toContain('Too many attempts. Try again later.')
    },
  )

  test('of raw is the error, with the time to wait', async () => {
    const { config } = site({})
    const tab = browser(config)
    for (let attempt = 0; attempt < 10; attempt++) await guess(tab)
    const { csrfToken } = await (await tab.request('csrf')).json()
    const cookie = tab.cookies.all().map(({ name, value }) => `${name}=${value}`)
    const request = new Request('https://app.test/auth/callback/password', {
      method: 'POST',
      headers: { cookie: cookie.join('; ') },
      body: new URLSearchParams({ ...WRONG, csrfToken }),
    })
    await expect(Auth(request, { ...config, raw })).rejects.toMatchObject({
      type: 'TooManyAttempts',
      retryAfter: 90,
    })
  })
})

test('protection off limits nothing, calls no store and sets no cookie', async () => {
  const { config, calls, from } = site('off')
  const tab = from('192.0.2.1')
  for (let attempt = 0; attempt < 50; attempt++) await guess(tab)
  expect(calls).toHaveLength(50)
  await enter(tab)
  expect(tab.cookies.all().map(({ name }) => name)).not.toContain('__Host-lib.known')
  expect(config.protection).toBe('off')
  expect(Reflect.get(globalThis, Symbol.for('lib-auth.process.1'))).toBeUndefined()
})
