// @vitest-environment jsdom
import { act, render } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { SessionProvider, useSession } from '../../src/browser/react/index.ts'
import { Greeting, closeSite, openSite, sessionOf, settle, show, snapshots } from './greeting.tsx'
import { signInElsewhere, unusable } from '../frameworks/site.ts'
import type { Visit } from '../frameworks/site.ts'

let site: Visit

beforeEach(() => {
  site = openSite()
})

afterEach(closeSite)

/** Advances only the interval timers. */
async function pass(seconds: number): Promise<void> {
  vi.advanceTimersByTime(seconds * 1000)
  await settle()
}

describe('a failed read', () => {
  test.each(Object.entries(unusable))('(%s) keeps the session', async (_how, answer) => {
    const page = await show({ session: sessionOf('Ada') })
    site.page.intercept = answer
    document.dispatchEvent(new Event('visibilitychange'))
    await settle()
    expect(site.page.requests).toEqual(['GET session'])
    expect(page.text()).toBe('authenticated: Ada')
  })

  test('on the first load is repeated', async () => {
    await signInElsewhere(site)
    site.page.intercept = unusable.error
    const page = await show()
    expect(page.text()).toBe('unauthenticated: no user')
    site.page.intercept = () => undefined
    document.dispatchEvent(new Event('visibilitychange'))
    await settle()
    expect(page.text()).toBe('authenticated: Grace Hopper')
  })

  test('is repeated every ten seconds until it succeeds', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    await signInElsewhere(site)
    site.page.intercept = unusable.networkError
    const page = await show()
    expect(snapshots.at(-1)).toMatchObject({ status: 'unauthenticated', isUncertain: true })
    await pass(10)
    expect(site.page.requests).toHaveLength(2)
    site.page.intercept = () => undefined
    await pass(10)
    expect(page.text()).toBe('authenticated: Grace Hopper')
    expect(snapshots.at(-1)?.isUncertain).toBe(false)
    await pass(600)
    expect(site.page.requests).toHaveLength(3)
  })

  test('does not redirect to the sign-in page; an unauthenticated result does', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    site.page.intercept = unusable.error
    function Secret() {
      return useSession({ required: true }).status
    }
    const view = render(
      <SessionProvider>
        <Secret />
      </SessionProvider>,
    )
    await settle()
    expect(view.container.textContent).toBe('loading')
    expect(site.visited).toEqual([])
    site.page.intercept = () => undefined
    await pass(10)
    expect(view.container.textContent).toBe('loading')
    expect(site.visited).toEqual([expect.stringMatching(/^\/api\/auth\/signin\?error=Session/)])
  })

  test('times out after 30 seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    const later = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000))
    await signInElsewhere(site)
    site.page.intercept = () => new Promise(() => undefined)
    const view = render(
      <SessionProvider>
        <Greeting />
      </SessionProvider>,
    )
    await later(29)
    expect(view.container.textContent).toBe('loading: no user')
    await later(1)
    expect(view.container.textContent).toBe('unauthenticated: no user')
    site.page.intercept = () => undefined
    await later(10)
    vi.useRealTimers()
    await settle()
    expect(view.container.textContent).toBe('authenticated: Grace Hopper')
  })
})

describe('polling', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))

  test('reads the session at the interval while the user is authenticated', async () => {
    await signInElsewhere(site)
    const page = await show({ session: sessionOf('Ada'), refetchInterval: 60 })
    await pass(59)
    expect(site.page.requests).toEqual([])
    await pass(1)
    expect(page.text()).toBe('authenticated: Grace Hopper')
    await site.client.signOut({ redirect: false })
    await pass(60)
    expect(page.text()).toBe('unauthenticated: no user')
    site.page.requests.length = 0
    await pass(600)
    expect(site.page.requests).toEqual([])
  })

  test('is off by default and stops when the page is unmounted', async () => {
    const page = await show({ session: sessionOf('Ada') })
    await pass(100_000)
    await page.rerender({ session: sessionOf('Ada'), refetchInterval: 60 })
    page.unmount()
    await pass(600)
    document.dispatchEvent(new Event('visibilitychange'))
    expect(site.page.requests).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  test('can be disabled while offline', async () => {
    const network = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    const session = sessionOf('Ada')
    await show({ session, refetchInterval: 60, refetchWhenOffline: false })
    await pass(180)
    expect(site.page.requests).toEqual([])
    network.mockReturnValue(true)
    await pass(60)
    expect(site.page.requests).toEqual(['GET session'])
  })

  test('continues while offline by default', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    await show({ session: sessionOf('Ada'), refetchInterval: 60 })
    await pass(60)
    expect(site.page.requests).toEqual(['GET session'])
  })

  test.each([
    ['reads the session when the tab becomes visible', {}, 'visible', 1],
    ['reads nothing when the tab is hidden', {}, 'hidden', 0],
    [
      'reads nothing with refetchOnWindowFocus: false',
      { refetchOnWindowFocus: false },
      'visible',
      0,
    ],
    ['reads nothing while the user is unauthenticated', { session: null }, 'visible', 0],
  ] as const)('%s', async (_when, props, visibility, requests) => {
    await show({ session: sessionOf('Ada'), ...props })
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(visibility === 'hidden')
    document.dispatchEvent(new Event('visibilitychange'))
    await settle()
    expect(site.page.requests).toHaveLength(requests)
  })
})
