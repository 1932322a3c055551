import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createClient } from '../../src/browser/client/index.ts'
import { ORIGIN, login, siteConfig, unusable, visit } from '../frameworks/site.ts'
import type { Visit } from '../frameworks/site.ts'

let site: Visit

beforeEach(() => {
  const { config } = siteConfig({
    callbacks: {
      jwt: ({ token, trigger, session }) =>
        trigger === 'update' ? { ...token, name: String(session.name) } : token,
    },
  })
  site = visit(config)
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('reading data', () => {
  test('returns null before a sign-in and the session afterwards', async () => {
    expect(await site.client.getSession()).toBeNull()
    await site.client.signIn('credentials', { ...login, redirect: false })
    expect(await site.client.getSession()).toMatchObject({ user: { name: 'Grace Hopper' } })
  })

  test('outside a browser sends the cookies of the given request', async () => {
    await site.client.signIn('credentials', { ...login, redirect: false })
    const name = '__Host-lib.session-token'
    const cookie = `${name}=${site.page.tab.cookies.get(name)?.value}`
    site.page.tab.cookies.delete(name)
    expect(await site.client.getSession()).toBeNull()
    expect(await site.client.getSession(cookie)).toMatchObject({ user: { name: 'Grace Hopper' } })
  })

  test('returns the CSRF token of this browser', async () => {
    expect(await site.client.getCsrfToken()).toBe(await site.page.tab.csrfToken())
  })

  test('returns the providers with their URLs in the order of the configuration', async () => {
    const providers = await site.client.getProviders()
    expect(Object.keys(providers)).toEqual(['op', 'credentials'])
    expect(providers['op']).toEqual({
      id: 'op',
      name: 'Test OP',
      type: 'oidc',
      signinUrl: `${ORIGIN}/api/auth/signin/op`,
      callbackUrl: `${ORIGIN}/api/auth/callback/op`,
    })
  })

  test.each([
    ['an error response', unusable.error, 500],
    ['a response that is not JSON', unusable.html, 200],
    ['a network error', unusable.networkError, undefined],
  ])('throws for %s instead of returning null', async (_what, answer, status) => {
    site.page.intercept = answer
    const expected = expect.objectContaining({ name: 'ClientFetchError', status }) as Error
    await expect(site.client.getSession()).rejects.toEqual(expected)
    await expect(site.client.getCsrfToken()).rejects.toEqual(expected)
    await expect(site.client.getProviders()).rejects.toEqual(expected)
    await expect(site.client.update({})).rejects.toEqual(expected)
    await expect(site.client.signOut()).rejects.toEqual(expected)
    expect(site.visited).toEqual([])
  })

  test.each([
    [{ basePath: '/api/auth/' }, '/api/auth/session'],
    [{ basePath: 'login' }, '/login/session'],
    [{ basePath: '/' }, '/session'],
    [{ baseUrl: 'https://app.test/' }, 'https://app.test/api/auth/session'],
    [{}, '/api/auth/session'],
  ])('with %o requests the session from %s', async (options, url) => {
    const requested: unknown[] = []
    const answering = createClient({
      ...options,
      fetch: async (input) => {
        requested.push(input)
        return Response.json(null)
      },
    })
    await answering.getSession()
    expect(requested).toEqual([url])
  })

  test('uses a global fetch that is replaced later', async () => {
    const late = createClient()
    vi.stubGlobal('fetch', site.page.fetch)
    expect(await late.getSession()).toBeNull()
    expect(site.page.requests).toEqual(['GET session'])
  })
})

describe('signing out and changing the session', () => {
  beforeEach(async () => {
    await site.client.signIn('credentials', { ...login, redirect: false })
  })

  test('signs out and returns to the current page', async () => {
    await site.client.signOut()
    expect(site.visited).toEqual([`${ORIGIN}/welcome?tab=2`])
    expect(await site.client.getSession()).toBeNull()
  })

  test('with redirect: false returns the URL and stays on the page', async () => {
    const result = await site.client.signOut({ redirect: false, redirectTo: '/bye' })
    expect(result).toEqual({ url: `${ORIGIN}/bye` })
    expect(site.visited).toEqual([])
    expect(await site.client.getSession()).toBeNull()
  })

  test('works as an event handler and ignores the event', async () => {
    const event: Record<string, unknown> = { type: 'click' }
    event['target'] = event
    await site.client.signOut(event)
    expect(await site.client.getSession()).toBeNull()
  })

  test('updates the session with the data', async () => {
    expect(await site.client.update({ name: 'Amazing Grace' })).toMatchObject({
      user: { name: 'Amazing Grace' },
    })
    expect(await site.client.getSession()).toMatchObject({ user: { name: 'Amazing Grace' } })
  })

  test('returns null for an update after a sign-out', async () => {
    await site.client.signOut({ redirect: false })
    expect(await site.client.update({ name: 'Amazing Grace' })).toBeNull()
  })
})
