// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSession } from '../../src/browser/client/index.ts'
import type { ClientSession, SessionOptions } from '../../src/browser/client/index.ts'
import { sessionOf } from './greeting.tsx'
import { signInElsewhere, siteConfig, unusable, visit } from '../frameworks/site.ts'
import type { Visit } from '../frameworks/site.ts'

let site: Visit
const ends: (() => void)[] = []

beforeEach(() => {
  site = visit(siteConfig().config)
})

afterEach(() => {
  for (const end of ends.splice(0)) end()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

function open(options: SessionOptions = {}): ClientSession {
  const session = createSession({ fetch: site.page.fetch, ...options })
  ends.push(session.start())
  return session
}

const nameIn = (session: ClientSession) => session.state().session?.user?.name

test('reads the session and tells its listeners', async () => {
  await signInElsewhere(site)
  const session = createSession({ fetch: site.page.fetch })
  expect(session.state()).toEqual({ session: undefined, isUncertain: false, isUpdating: false })
  const names: unknown[] = []
  const unsubscribe = session.subscribe(() => names.push(nameIn(session)))
  ends.push(session.start())
  await vi.waitFor(() => expect(names).toEqual(['Grace Hopper']), { timeout: 20_000 })
  unsubscribe()
  await session.refresh()
  expect(names).toHaveLength(1)
})

test.each([
  ['signed in', sessionOf('Ada')],
  ['signed out', null],
])('sends no request if the server has rendered it: %s', async (_what, rendered) => {
  const session = open({ session: rendered })
  expect(session.state().session).toBe(rendered)
  await Promise.resolve()
  expect(site.page.requests).toEqual([])
})

test('a session of a later page replaces the one of the first page', () => {
  const session = open({ session: sessionOf('Ada') })
  session.accept(undefined)
  expect(nameIn(session)).toBe('Ada')
  session.accept(sessionOf('Grace'))
  expect(nameIn(session)).toBe('Grace')
  session.accept(null)
  expect(session.state().session).toBeNull()
})

test('a sign-in in one tab is visible in another', async () => {
  const session = open({ session: null })
  await signInElsewhere(site)
  open({ session: sessionOf('Grace Hopper') })
  await vi.waitFor(() => expect(nameIn(session)).toBe('Grace Hopper'), { timeout: 20_000 })
})

test('reads it again when the tab becomes visible, until it is stopped', async () => {
  const session = createSession({ fetch: site.page.fetch, session: sessionOf('Ada') })
  const stop = session.start()
  document.dispatchEvent(new Event('visibilitychange'))
  await vi.waitFor(() => expect(session.state().session).toBeNull(), { timeout: 20_000 })
  session.accept(sessionOf('Grace'))
  stop()
  document.dispatchEvent(new Event('visibilitychange'))
  await Promise.resolve()
  expect(site.page.requests).toEqual(['GET session'])
})

test('a failed read keeps the last known session', async () => {
  const session = open({ session: sessionOf('Ada') })
  site.page.intercept = unusable.networkError
  await session.refresh()
  expect(session.state()).toMatchObject({ isUncertain: true, session: { user: { name: 'Ada' } } })
})

test('two sessions of one server share nothing', () => {
  const ada = createSession({ session: sessionOf('Ada') })
  const grace = createSession({ session: sessionOf('Grace') })
  grace.accept(null)
  expect(nameIn(ada)).toBe('Ada')
})
