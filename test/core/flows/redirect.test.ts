import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { CallbacksOptions } from '../../../src/index.ts'
import { browser } from '../../../src/testing/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { enter, passwordConfig, TYPED } from '../../config.ts'
import type { Log } from '../../config.ts'
import { pass, SESSION, stopClock, until } from '../../sessions.ts'

beforeEach(stopClock)
afterEach(() => void vi.useRealTimers())

type Redirect = NonNullable<CallbacksOptions['redirect']>

function siteWith(redirect: unknown): { tab: Browser; log: Log } {
  const { config, log } = passwordConfig({ callbacks: { redirect: redirect as Redirect } })
  return { tab: browser(config), log }
}

async function goes(tab: Browser, callbackUrl = '/wanted'): Promise<string | null> {
  return (await enter(tab, { ...TYPED, callbackUrl })).headers.get('location')
}

describe('the redirect callback', () => {
  test.each([
    ['a path of the site', '/elsewhere', 'https://app.test/elsewhere'],
    ['a URL of the site', 'https://app.test/elsewhere', 'https://app.test/elsewhere'],
    ['the origin', 'https://app.test', 'https://app.test'],
    ['another site', 'https://shop.test/cart', 'https://shop.test/cart'],
    ['an application on the device', 'com.example.app:/done', 'com.example.app:/done'],
    ['a promise of it', Promise.resolve('/elsewhere'), 'https://app.test/elsewhere'],
  ])('determines the target: %s', async (_name, result, location) => {
    const { tab, log } = siteWith(() => result)
    expect(await goes(tab)).toBe(location)
    expect(log.lines).toEqual([])
  })

  test.each([
    ['undefined', undefined],
    ['null', null],
    ['a number', 42],
    ['an invalid URL', 'https://'],
    ['a script', 'javascript:alert(1)'],
    ['data', 'data:text/html,x'],
    ['a file', 'file:///etc/passwd'],
  ])('falls back to the origin with a warning if it returns %s', async (_name, result) => {
    const { tab, log } = siteWith(() => result)
    expect(await goes(tab)).toBe('https://app.test')
    expect(log.lines[0]).toEqual(['warn', 'redirect-callback', expect.any(String)])
  })

  test('receives the callbackUrl and the origin', async () => {
    const redirect = vi.fn(() => '/chosen')
    const { tab } = siteWith(redirect)
    await goes(tab, 'https://evil.test/wanted')
    expect(redirect).toHaveBeenCalledExactlyOnceWith({
      url: 'https://evil.test/wanted',
      baseUrl: 'https://app.test',
    })
  })

  test('is called with the stored return URL if a form does not repeat callbackUrl', async () => {
    const redirect = vi.fn(({ url }: { url: string }) => url)
    const { tab } = siteWith(redirect)
    await tab.request('signin?callbackUrl=%2Fwanted')
    const response = await enter(tab)
    expect(response.headers.get('location')).toBe('https://app.test/wanted')
    expect(redirect.mock.calls).toEqual([
      [{ url: '/wanted', baseUrl: 'https://app.test' }],
      [{ url: 'https://app.test/wanted', baseUrl: 'https://app.test' }],
    ])
  })

  test('is not called without a callbackUrl', async () => {
    const redirect = vi.fn()
    const { tab } = siteWith(redirect)
    expect((await enter(tab)).headers.get('location')).toBe('https://app.test')
    await tab.request('session?callbackUrl=/x')
    await tab.csrfToken()
    expect(redirect).not.toHaveBeenCalled()
  })

  test('determines the target of a sign-out', async () => {
    const { tab } = siteWith(() => '/bye')
    await enter(tab)
    const response = await tab.post('signout', { callbackUrl: '/anything' })
    expect(response.headers.get('location')).toBe('https://app.test/bye')
  })

  test('rejects the sign-in if it throws', async () => {
    const { tab, log } = siteWith(() => {
      throw new Error('no table of redirects')
    })
    expect(await goes(tab)).toBe('https://app.test/auth/error?error=Configuration')
    expect(tab.cookies.get(SESSION)).toBeUndefined()
    expect(log.errors).toMatchObject([
      { type: 'CallbackRouteError', cause: { err: { message: 'no table of redirects' } } },
    ])
  })

  test('times out after ten seconds', async () => {
    const redirect = vi.fn(() => new Promise<string>(() => undefined))
    const { tab } = siteWith(redirect)
    const answer = goes(tab)
    await until(() => redirect.mock.calls.length > 0)
    await pass(10)
    expect(await answer).toBe('https://app.test/auth/error?error=TemporarilyUnavailable')
  })
})

test('the stored return URL does not contain an old error', async () => {
  const { tab } = siteWith(undefined)
  await tab.request(`signin?callbackUrl=${encodeURIComponent('/a?b=c&error=AccessDenied&code=x')}`)
  expect((await enter(tab)).headers.get('location')).toBe('https://app.test/a?b=c')
  // An error in the form is kept; a code without an error belongs to the application.
  expect(await goes(tab, '/a?error=mine')).toBe('https://app.test/a?error=mine')
  await tab.request(`signin?callbackUrl=${encodeURIComponent('/invitation?code=x')}`)
  expect((await enter(tab)).headers.get('location')).toBe('https://app.test/invitation?code=x')
})
