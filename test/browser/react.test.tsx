// @vitest-environment jsdom
import { render } from '@testing-library/react'
import { StrictMode } from 'react'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { SessionProvider, useSession } from '../../src/browser/react/index.ts'
import { Greeting, closeSite, openSite, sessionOf, settle, show, snapshots } from './greeting.tsx'
import { signInElsewhere } from '../frameworks/site.ts'
import type { Visit } from '../frameworks/site.ts'

let site: Visit

beforeEach(() => {
  site = openSite()
})

afterEach(closeSite)

describe('the first render', () => {
  test('reads the session once without an initial session', async () => {
    await signInElsewhere(site)
    const page = await show()
    expect(snapshots.map(({ status }) => status)).toEqual(['loading', 'authenticated'])
    expect(page.text()).toBe('authenticated: Grace Hopper')
    expect(site.page.requests).toEqual(['GET session'])
  })

  test.each([
    [sessionOf('Ada'), 'authenticated: Ada'],
    [null, 'unauthenticated: no user'],
  ])('does not read the session with an initial session of %o', async (session, text) => {
    const page = await show({ session })
    expect(page.text()).toBe(text)
    expect(site.page.requests).toEqual([])
  })

  test('reads the session once in strict mode', async () => {
    const page = await show({}, (element) => <StrictMode>{element}</StrictMode>)
    expect(page.text()).toBe('unauthenticated: no user')
    expect(site.page.requests).toEqual(['GET session'])
  })

  test('does not read the session in strict mode with an initial session', async () => {
    const strict = (element: ReactNode) => <StrictMode>{element}</StrictMode>
    const page = await show({ session: sessionOf('Ada') }, strict)
    expect(page.text()).toBe('authenticated: Ada')
    expect(site.page.requests).toEqual([])
  })

  test('requests the configured base path', async () => {
    const requested: string[] = []
    vi.stubGlobal('fetch', async (url: string) => {
      requested.push(url)
      return Response.json(null)
    })
    await show({ basePath: '/login/' })
    expect(requested).toEqual(['/login/session'])
    await show({ basePath: '/api/auth' })
    expect(requested).toEqual(['/login/session', '/api/auth/session'])
  })

  test.each([
    [undefined, 'loading: no user'],
    [null, 'unauthenticated: no user'],
    [sessionOf('Ada'), 'authenticated: Ada'],
  ])('on a server with %o is "%s" without a request', async (session, text) => {
    const html = renderToString(
      <SessionProvider session={session}>
        <Greeting />
      </SessionProvider>,
    )
    expect(html).toBe(text)
    expect(site.page.requests).toEqual([])
  })

  test('throws without a provider', () => {
    expect(() => renderToString(<Greeting />)).toThrow(/<SessionProvider>/)
  })
})

describe('a session that the server renders later', () => {
  test('is shown', async () => {
    const page = await show({ session: null })
    await page.rerender({ session: sessionOf('Ada') })
    expect(page.text()).toBe('authenticated: Ada')
    await page.rerender({ session: null })
    expect(page.text()).toBe('unauthenticated: no user')
    await page.rerender({})
    expect(page.text()).toBe('unauthenticated: no user')
    expect(site.page.requests).toEqual([])
  })

  test('takes precedence over a pending read', async () => {
    await signInElsewhere(site)
    let answer = () => {}
    site.page.intercept = () => {
      return new Promise((resolve) => (answer = () => resolve(Response.json(null))))
    }
    const page = await show()
    expect(page.text()).toBe('loading: no user')
    await page.rerender({ session: sessionOf('Ada') })
    answer()
    await settle()
    expect(page.text()).toBe('authenticated: Ada')
  })
})

describe('a component that requires a session', () => {
  const onUnauthenticated = vi.fn<() => void>()

  function Secret({ own }: { readonly own: boolean }) {
    const options = own ? { onUnauthenticated: () => onUnauthenticated() } : {}
    const { data, status } = useSession({ required: true, ...options })
    return `${status}: ${data?.user?.name ?? 'no user'}`
  }

  const page = (session: ReturnType<typeof sessionOf> | null, own: boolean) => (
    <SessionProvider session={session}>
      <Secret own={own} />
    </SessionProvider>
  )

  test('receives it', () => {
    const view = render(page(sessionOf('Ada'), false))
    expect(view.container.textContent).toBe('authenticated: Ada')
    expect(site.visited).toEqual([])
  })

  test('redirects to the sign-in page without one, with a return URL', () => {
    const view = render(page(null, false))
    expect(view.container.textContent).toBe('loading: no user')
    const url = new URL(site.visited[0] ?? '', location.href)
    expect(url.pathname).toBe('/api/auth/signin')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      error: 'SessionRequired',
      callbackUrl: location.href,
    })
  })

  test('calls onUnauthenticated once per sign-out', async () => {
    const view = render(page(null, true))
    view.rerender(page(null, true))
    expect(onUnauthenticated).toHaveBeenCalledTimes(1)
    view.rerender(page(sessionOf('Ada'), true))
    view.rerender(page(null, true))
    expect(onUnauthenticated).toHaveBeenCalledTimes(2)
    expect(site.visited).toEqual([])
  })
})
