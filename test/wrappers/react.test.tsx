// @vitest-environment jsdom
import { render } from '@testing-library/react'
import { StrictMode } from 'react'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { SessionProvider, useSession } from '../../src/react/index.ts'
import { Greeting, leaveSite, openSite, sessionOf, settle, show, told } from './greeting.tsx'
import { right } from './site.ts'
import type { Visit } from './site.ts'

let site: Visit

beforeEach(() => {
  site = openSite()
})

afterEach(leaveSite)

/** Grace signs in, by other means than the page that is looked at. */
async function signInElsewhere(): Promise<void> {
  await site.client.signIn('credentials', { ...right, redirect: false })
  site.page.requests.length = 0
}

describe('the first time the page is shown', () => {
  // Covers: react.requests
  test('without a session it asks once', async () => {
    await signInElsewhere()
    const page = await show()
    expect(told.map(({ status }) => status)).toEqual(['loading', 'authenticated'])
    expect(page.text()).toBe('authenticated: Grace Hopper')
    expect(site.page.requests).toEqual(['GET session'])
  })

  test.each([
    [sessionOf('Ada'), 'authenticated: Ada'],
    [null, 'unauthenticated: nobody'],
  ])('with what the server knows (%o) it does not ask', async (session, text) => {
    const page = await show({ session })
    expect(page.text()).toBe(text)
    expect(site.page.requests).toEqual([])
  })

  // Covers: react.strict-mode
  test('in strict mode it asks once, too', async () => {
    const page = await show({}, (element) => <StrictMode>{element}</StrictMode>)
    expect(page.text()).toBe('unauthenticated: nobody')
    expect(site.page.requests).toEqual(['GET session'])
  })

  // Covers: react.strict-mode
  test('in strict mode with a session it does not ask', async () => {
    const strict = (element: ReactNode) => <StrictMode>{element}</StrictMode>
    const page = await show({ session: sessionOf('Ada') }, strict)
    expect(page.text()).toBe('authenticated: Ada')
    expect(site.page.requests).toEqual([])
  })

  test('it asks where the routes are', async () => {
    const asked: string[] = []
    vi.stubGlobal('fetch', async (url: string) => {
      asked.push(url)
      return Response.json(null)
    })
    await show({ basePath: '/login/' })
    expect(asked).toEqual(['/login/session'])
    await show({ basePath: '/api/auth' })
    expect(asked).toEqual(['/login/session', '/api/auth/session'])
  })

  test.each([
    [undefined, 'loading: nobody'],
    [null, 'unauthenticated: nobody'],
    [sessionOf('Ada'), 'authenticated: Ada'],
  ])('on a server with %o it is "%s", and nothing is asked', async (session, text) => {
    const html = renderToString(
      <SessionProvider session={session}>
        <Greeting />
      </SessionProvider>,
    )
    expect(html).toBe(text)
    expect(site.page.requests).toEqual([])
  })

  test('without a provider it says what is missing', () => {
    expect(() => renderToString(<Greeting />)).toThrow(/<SessionProvider>/)
  })
})

describe('what the server renders later', () => {
  // Covers: react.session-prop
  test('is taken over', async () => {
    const page = await show({ session: null })
    await page.again({ session: sessionOf('Ada') })
    expect(page.text()).toBe('authenticated: Ada')
    await page.again({ session: null })
    expect(page.text()).toBe('unauthenticated: nobody')
    await page.again({})
    expect(page.text()).toBe('unauthenticated: nobody')
    expect(site.page.requests).toEqual([])
  })

  // Covers: react.session-prop
  test('counts more than an answer that was on its way', async () => {
    await signInElsewhere()
    let answer = () => {}
    site.page.intercept = () => {
      return new Promise((resolve) => (answer = () => resolve(Response.json(null))))
    }
    const page = await show()
    expect(page.text()).toBe('loading: nobody')
    await page.again({ session: sessionOf('Ada') })
    answer()
    await settle()
    expect(page.text()).toBe('authenticated: Ada')
  })
})

describe('a component that needs a session', () => {
  const onUnauthenticated = vi.fn<() => void>()

  function Secret({ own }: { readonly own: boolean }) {
    const options = own ? { onUnauthenticated: () => onUnauthenticated() } : {}
    const { data, status } = useSession({ required: true, ...options })
    return `${status}: ${data?.user?.name ?? 'nobody'}`
  }

  const page = (session: ReturnType<typeof sessionOf> | null, own: boolean) => (
    <SessionProvider session={session}>
      <Secret own={own} />
    </SessionProvider>
  )

  test('sees it', () => {
    const view = render(page(sessionOf('Ada'), false))
    expect(view.container.textContent).toBe('authenticated: Ada')
    expect(site.journey).toEqual([])
  })

  test('leads to the sign-in page without one, and comes back', () => {
    const view = render(page(null, false))
    expect(view.container.textContent).toBe('loading: nobody')
    const url = new URL(site.journey[0] ?? '', location.href)
    expect(url.pathname).toBe('/api/auth/signin')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      error: 'SessionRequired',
      callbackUrl: location.href,
    })
  })

  test('may do something else, once for each time', async () => {
    const view = render(page(null, true))
    view.rerender(page(null, true))
    expect(onUnauthenticated).toHaveBeenCalledTimes(1)
    view.rerender(page(sessionOf('Ada'), true))
    view.rerender(page(null, true))
    expect(onUnauthenticated).toHaveBeenCalledTimes(2)
    expect(site.journey).toEqual([])
  })
})
