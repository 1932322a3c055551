// @vitest-environment jsdom
/** The client for Solid, with its build for browsers. */
import { createComponent, createRoot, createSignal, mergeProps } from 'solid-js'
import type { Accessor } from 'solid-js'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SessionProvider, signIn, signOut, useSession } from '../../src/browser/solid/index.ts'
import type { Session, SessionProviderProps, SessionValue } from '../../src/browser/solid/index.ts'
import { sessionOf } from './greeting.tsx'
import { login, signInElsewhere, siteConfig, visit } from '../frameworks/site.ts'
import type { Visit } from '../frameworks/site.ts'

// Node resolves the package to its build for servers.
vi.mock('solid-js', () => {
  const forBrowsers: string = '../../node_modules/solid-js/dist/solid.js'
  return import(forBrowsers)
})

let site: Visit
const ends: (() => void)[] = []

beforeEach(() => {
  site = visit(siteConfig().config)
  vi.stubGlobal('fetch', site.page.fetch)
})

afterEach(() => {
  for (const end of ends.splice(0)) end()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** A page whose provider has these properties; returns what `useSession` returns below it. */
function page(
  props: SessionProviderProps,
  defaults: SessionProviderProps = { basePath: '/api/auth' },
): Accessor<SessionValue> {
  return createRoot((dispose) => {
    ends.push(dispose)
    let session: Accessor<SessionValue> | undefined
    const Child = () => {
      session = useSession()
      return null
    }
    const children = {
      get children() {
        return createComponent(Child, {})
      },
    }
    const merged = mergeProps(defaults, props, children)
    const provider = createComponent(SessionProvider, merged)
    // A context provider renders its children when they are inserted.
    if (typeof provider === 'function') Reflect.apply(provider, undefined, [])
    if (!session) throw new Error('The page has not rendered its children.')
    return session
  })
}

test('reads the session if the server has not rendered it', async () => {
  await signInElsewhere(site)
  const session = page({})
  expect(session()).toMatchObject({ data: null, status: 'loading' })
  await vi.waitFor(() => expect(session().status).toBe('authenticated'), { timeout: 20_000 })
  expect(session().data?.user?.name).toBe('Grace Hopper')
})

test('sends no request for a session that the server has rendered', async () => {
  const session = page({ session: sessionOf('Ada') })
  expect(session()).toMatchObject({ status: 'authenticated', data: { user: { name: 'Ada' } } })
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(site.page.requests).toEqual([])
})

test('a later page replaces the session', async () => {
  const [rendered, setRendered] = createSignal<Session | null>(sessionOf('Ada'))
  const session = page({
    get session() {
      return rendered()
    },
  })
  setRendered(null)
  await vi.waitFor(() => expect(session().status).toBe('unauthenticated'), { timeout: 20_000 })
})

test('a sign-in and a sign-out change the session, in other tabs too', async () => {
  const session = page({ session: null })
  const other = page({ session: null })
  await signIn('credentials', { ...login, redirect: false })
  await vi.waitFor(() => expect(session().data?.user?.name).toBe('Grace Hopper'), {
    timeout: 20_000,
  })
  await vi.waitFor(() => expect(other().data?.user?.name).toBe('Grace Hopper'), { timeout: 20_000 })
  await signOut({ redirect: false })
  await vi.waitFor(() => expect(session().status).toBe('unauthenticated'), { timeout: 20_000 })
})

test('requests /auth by default, and logs it if the routes are elsewhere', async () => {
  page({}, {})
  await vi.waitFor(() => expect(console.error).toHaveBeenCalled(), { timeout: 20_000 })
  expect(site.page.requests).toEqual(['GET /auth/session'])
  expect(String(vi.mocked(console.error).mock.calls[0]?.[0])).toBe(
    'ClientFetchError: session answered with 404: check basePath, /auth.',
  )
})

test('throws an error that names SessionProvider if it is missing', () => {
  expect(() => createRoot(() => useSession())).toThrow(
    'useSession needs a <SessionProvider> above it.',
  )
})
