// @vitest-environment jsdom
/** The client for Svelte, with its build for browsers. */
import { mount, unmount } from 'svelte'
import * as internal from 'svelte/internal/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setSession, signIn, signOut, useSession } from '../../src/browser/svelte/index.ts'
import type { ReactiveSession, Session, SessionOptions } from '../../src/browser/svelte/index.ts'
import { sessionOf } from './greeting.tsx'
import { login, signInElsewhere, siteConfig, visit } from '../frameworks/site.ts'
import type { Visit } from '../frameworks/site.ts'

// Node resolves the package to its build for servers.
vi.mock('svelte', () => import('../../node_modules/svelte/src/index-client.js'))
vi.mock(
  'svelte/reactivity',
  () => import('../../node_modules/svelte/src/reactivity/index-client.js'),
)
vi.mock('svelte/store', () => import('../../node_modules/svelte/src/store/index-client.js'))

let site: Visit
const mounted: object[] = []

beforeEach(() => {
  site = visit(siteConfig().config)
  vi.stubGlobal('fetch', site.page.fetch)
})

afterEach(async () => {
  for (const each of mounted.splice(0)) await unmount(each)
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

interface Page {
  readonly session: ReactiveSession
  /** What an effect has read. */
  readonly seen: string[]
}

/** A page whose layout calls `setSession`, as the compiler writes it. */
function page(
  rendered: () => Session | null | undefined,
  options: SessionOptions = { basePath: '/api/auth' },
): Page {
  const result: { session?: ReactiveSession; seen: string[] } = { seen: [] }
  const Layout = (_anchor: unknown, props: Record<string, unknown>) => {
    internal.push(props, true)
    setSession(rendered, options)
    const session = useSession()
    internal.user_effect(() => {
      result.seen.push(`${session.status}: ${session.data?.user?.name}`)
    })
    result.session = session
    return internal.pop({})
  }
  mounted.push(mount(Layout as never, { target: document.body }))
  return result as Page
}

test('reads the session if the server has not rendered it', async () => {
  await signInElsewhere(site)
  const { session, seen } = page(() => undefined)
  expect(session).toMatchObject({ data: null, status: 'loading' })
  await vi.waitFor(
    () => expect(seen).toEqual(['loading: undefined', 'authenticated: Grace Hopper']),
    { timeout: 20_000 },
  )
  expect(site.page.requests).toEqual(['GET session'])
})

test('sends no request for a session that the server has rendered', async () => {
  const { session, seen } = page(() => sessionOf('Ada'))
  await vi.waitFor(() => expect(seen).toEqual(['authenticated: Ada']), { timeout: 20_000 })
  expect([session.isUpdating, session.isUncertain]).toEqual([false, false])
  expect(site.page.requests).toEqual([])
})

test('a later page replaces the session', async () => {
  const rendered = internal.state<Session | null>(sessionOf('Ada'))
  const { seen } = page(() => internal.get(rendered))
  await vi.waitFor(() => expect(seen).toHaveLength(1), { timeout: 20_000 })
  internal.set(rendered, null)
  await vi.waitFor(
    () => expect(seen).toEqual(['authenticated: Ada', 'unauthenticated: undefined']),
    { timeout: 20_000 },
  )
})

test('a sign-in and a sign-out change the session, in other tabs too', async () => {
  const { session } = page(() => null)
  const other = page(() => null)
  const names: unknown[] = []
  const unsubscribe = session.store.subscribe(({ data }) => names.push(data?.user?.name))
  await signIn('credentials', { ...login, redirect: false })
  await vi.waitFor(() => expect(session.data?.user?.name).toBe('Grace Hopper'), { timeout: 20_000 })
  await vi.waitFor(() => expect(other.seen.at(-1)).toBe('authenticated: Grace Hopper'), {
    timeout: 20_000,
  })
  await signOut({ redirect: false })
  await vi.waitFor(() => expect(session.status).toBe('unauthenticated'), { timeout: 20_000 })
  expect(names).toContain('Grace Hopper')
  unsubscribe()
})

test('requests /auth by default', async () => {
  page(() => undefined, {})
  await vi.waitFor(() => expect(site.page.requests).toEqual(['GET /auth/session']), {
    timeout: 20_000,
  })
})
