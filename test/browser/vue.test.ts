// @vitest-environment jsdom
/** The client for Vue in a browser. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createApp, defineComponent, h } from 'vue'
import { createAuth, getSession, signIn, signOut, useSession } from '../../src/browser/vue/index.ts'
import type { AuthOptions, SessionRefs } from '../../src/browser/vue/index.ts'
import { sessionOf } from './greeting.tsx'
import { login, signInElsewhere, siteConfig, visit } from '../frameworks/site.ts'
import type { Visit } from '../frameworks/site.ts'

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

interface Page extends SessionRefs {
  readonly text: () => string | null
  readonly unmount: () => void
}

/** A page whose only component shows the session. */
function page(options: AuthOptions = {}): Page {
  const found: SessionRefs[] = []
  const Greeting = defineComponent(() => {
    const session = useSession()
    found.push(session)
    return () => h('p', `${session.status.value} ${session.data.value?.user?.name ?? ''}`)
  })
  const app = createApp(Greeting)
  const root = document.createElement('div')
  app.use(createAuth({ basePath: '/api/auth', ...options })).mount(root)
  const unmount = () => app.unmount()
  ends.push(unmount)
  const [session] = found
  if (!session) throw new Error('The component was not rendered.')
  return { ...session, text: () => root.textContent, unmount }
}

test('reads the session if the server has not rendered it', async () => {
  await signInElsewhere(site)
  const { text } = page()
  expect(text()).toBe('loading ')
  await vi.waitFor(() => expect(text()).toBe('authenticated Grace Hopper'), { timeout: 20_000 })
  expect(site.page.requests).toEqual(['GET session'])
})

test.each([
  ['authenticated Ada', sessionOf('Ada')],
  ['unauthenticated ', null],
])('sends no request for a session that the server has rendered: %s', async (shown, session) => {
  const { text } = page({ session })
  expect(text()).toBe(shown)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(site.page.requests).toEqual([])
})

test('a sign-in and a sign-out change the session, in other tabs too', async () => {
  const tab = page({ session: null })
  const other = page({ session: null })
  await signIn('credentials', { ...login, redirect: false })
  await vi.waitFor(() => expect(tab.text()).toBe('authenticated Grace Hopper'), { timeout: 20_000 })
  await vi.waitFor(() => expect(other.text()).toBe('authenticated Grace Hopper'), {
    timeout: 20_000,
  })
  await signOut({ redirect: false })
  await vi.waitFor(() => expect(tab.text()).toBe('unauthenticated '), { timeout: 20_000 })
})

test('a failed read keeps the session, and is shown as uncertain', async () => {
  const { data, isUncertain, update } = page({ session: sessionOf('Ada') })
  vi.stubGlobal('fetch', async () => Response.error())
  await update()
  expect([data.value?.user?.name, isUncertain.value]).toEqual(['Ada', true])
})

test('no longer follows the session after the application is unmounted', async () => {
  const { data, unmount } = page({ session: sessionOf('Ada') })
  unmount()
  document.dispatchEvent(new Event('visibilitychange'))
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(site.page.requests).toEqual([])
  expect(data.value?.user?.name).toBe('Ada')
})

test('requests /auth by default', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  page({ basePath: undefined, session: null })
  await expect(getSession()).rejects.toThrow('session answered with 404: check basePath, /auth.')
  expect(site.page.requests).toEqual(['GET /auth/session'])
})

test('throws an error that names the plugin if it is missing', () => {
  const app = createApp(defineComponent(() => () => null))
  expect(() => app.runWithContext(() => useSession())).toThrow(
    'useSession needs app.use(createAuth()), and was called without it.',
  )
})
