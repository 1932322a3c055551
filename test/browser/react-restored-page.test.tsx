// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { closeSite, openSite, sessionOf, settle, show } from './greeting.tsx'
import { login, unusable } from '../frameworks/site.ts'
import type { Visit } from '../frameworks/site.ts'

let site: Visit

beforeEach(() => {
  site = openSite({ session: { maxAge: 60, updateAge: 0 } })
})

afterEach(closeSite)

/** Signs Grace in outside the page; returns her session. */
async function signInElsewhere() {
  await site.client.signIn('credentials', { ...login, redirect: false })
  const session = await site.client.getSession()
  site.page.requests.length = 0
  return session
}

describe('a page restored from the back-forward cache', () => {
  /** Fires the events of a page that the browser restores. */
  async function restorePage(persisted = true): Promise<void> {
    document.dispatchEvent(new Event('visibilitychange'))
    globalThis.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }))
    await settle()
  }

  test('reads the session once and stays if the user is the same', async () => {
    const page = await show({ session: await signInElsewhere() })
    await restorePage()
    expect(site.page.requests).toEqual(['GET session'])
    expect(page.text()).toBe('authenticated: Grace Hopper')
    expect(site.visited).toEqual([])
  })

  test('ignores a read that started before it was cached', async () => {
    const page = await show({ session: await signInElsewhere() })
    const old = Response.json(await site.client.getSession())
    let answer = (_response: Response) => undefined as void
    const late = new Promise<Response>((resolve) => {
      answer = resolve
    })
    site.page.intercept = () => late
    document.dispatchEvent(new Event('visibilitychange'))
    site.page.intercept = () => undefined
    globalThis.dispatchEvent(new Event('pagehide'))
    await site.client.signOut({ redirect: false })
    await restorePage()
    answer(old)
    await settle()
    expect(page.text()).toBe('unauthenticated: no user')
    expect(site.visited).toEqual(['reload'])
  })

  test('reloads after a sign-out', async () => {
    const page = await show({ session: await signInElsewhere() })
    await site.client.signOut({ redirect: false })
    await restorePage()
    expect(page.text()).toBe('unauthenticated: no user')
    expect(site.visited).toEqual(['reload'])
  })

  test('reloads when another user is signed in', async () => {
    await signInElsewhere()
    await show({ session: sessionOf('Ada') })
    await restorePage()
    expect(site.visited).toEqual(['reload'])
  })

  test('reloads when another user is signed in and sessions have no user', async () => {
    const expires = '2999-01-01T00:00:00.000Z'
    let answer = { expires, member: 7 }
    site.page.intercept = () => Response.json(answer)
    await show({ session: answer })
    answer = { expires: '2999-01-02T00:00:00.000Z', member: 7 }
    await restorePage()
    expect(site.visited).toEqual([])
    answer = { expires, member: 8 }
    await restorePage()
    expect(site.visited).toEqual(['reload'])
  })

  test('shows a new session without a reload if it was unauthenticated', async () => {
    const page = await show({ session: null })
    await signInElsewhere()
    await restorePage()
    expect(page.text()).toBe('authenticated: Grace Hopper')
    expect(site.visited).toEqual([])
  })

  test('reads the session with refetchOnWindowFocus: false', async () => {
    await show({ session: await signInElsewhere(), refetchOnWindowFocus: false })
    await restorePage()
    expect(site.page.requests).toEqual(['GET session'])
  })

  test('stays unchanged when the read fails', async () => {
    const page = await show({ session: sessionOf('Ada') })
    site.page.intercept = unusable.networkError
    await restorePage()
    expect(page.text()).toBe('authenticated: Ada')
    expect(site.visited).toEqual([])
  })

  test('reads nothing if it was not restored or is unmounted', async () => {
    const page = await show({ session: sessionOf('Ada'), refetchOnWindowFocus: false })
    await restorePage(false)
    page.unmount()
    await restorePage()
    expect(site.page.requests).toEqual([])
  })
})

describe('a session that ends while the page is open', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] }))

  async function pass(seconds: number): Promise<void> {
    vi.advanceTimersByTime(seconds * 1000)
    await settle()
  }

  test('is removed a moment later', async () => {
    const page = await show({ session: await signInElsewhere() })
    await pass(60)
    expect(page.text()).toBe('authenticated: Grace Hopper')
    expect(site.page.requests).toEqual([])
    await pass(1)
    expect(page.text()).toBe('unauthenticated: no user')
    await pass(600)
    expect(site.page.requests).toEqual(['GET session'])
  })

  test('is kept while another tab extends it', async () => {
    const page = await show({ session: await signInElsewhere() })
    await pass(30)
    await site.client.getSession()
    site.page.requests.length = 0
    await pass(31)
    expect(page.text()).toBe('authenticated: Grace Hopper')
    await pass(61)
    expect(page.text()).toBe('unauthenticated: no user')
    expect(site.page.requests).toEqual(['GET session', 'GET session'])
  })

  test.each([
    ['yesterday', () => new Date(Date.now() - 86_400_000).toISOString()],
    ['never', () => ''],
    ['in many years', () => '2999-01-01T00:00:00.000Z'],
  ])('(%s by the local clock) causes no read', async (_when, expires) => {
    await show({ session: { ...sessionOf('Ada'), expires: expires() } })
    await pass(3600)
    expect(site.page.requests).toEqual([])
  })

  test('by a clock ahead of the server causes only occasional reads', async () => {
    const session = { ...sessionOf('Ada'), expires: new Date(Date.now() + 500).toISOString() }
    site.page.intercept = () => Response.json(session)
    await show({ session })
    for (let second = 0; second < 30; second++) await pass(1)
    expect(site.page.requests).toHaveLength(3)
  })
})
