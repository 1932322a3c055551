/** With `cacheComponents`, Next prerenders pages before a navigation, with the cookies of the user. */
import { nextSite, SESSION } from './next/next-site.ts'
import { workAsyncStorage } from 'next/dist/server/app-render/work-async-storage.external.js'
import type { WorkStore } from 'next/dist/server/app-render/work-async-storage.external.js'
import { workUnitAsyncStorage } from 'next/dist/server/app-render/work-unit-async-storage.external.js'
import type { WorkUnitStore } from 'next/dist/server/app-render/work-unit-async-storage.external.js'
import { HeadersAdapter } from 'next/dist/server/web/spec-extension/adapters/headers.js'
import { RequestCookiesAdapter } from 'next/dist/server/web/spec-extension/adapters/request-cookies.js'
import { RequestCookies } from 'next/dist/server/web/spec-extension/cookies.js'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const session = vi.fn<() => void>()

beforeEach(() => vi.stubEnv('__NEXT_CACHE_COMPONENTS', 'true'))
afterEach(() => vi.unstubAllEnvs())

/** Returns the result of `auth()` in a prerender of this type. */
async function authInPrerender(type: 'prerender-runtime' | 'private-cache'): Promise<unknown> {
  const site = nextSite({ events: { session } })
  await site.signInGrace()
  session.mockClear()
  const cookie = `${SESSION}=${site.cookies.get(SESSION)?.value ?? ''}`
  const sent = new Headers({ host: 'app.test', 'x-forwarded-proto': 'https', cookie })
  const end = new AbortController()
  const store = {
    type,
    headers: HeadersAdapter.seal(sent),
    cookies: RequestCookiesAdapter.seal(new RequestCookies(sent)),
    renderSignal: end.signal,
    phase: 'render',
  }
  const run = () => workUnitAsyncStorage.run(store as unknown as WorkUnitStore, () => site.auth())
  const result = workAsyncStorage.run({ route: '/page' } as WorkStore, run)
  const waiting = new Promise((resolve) => setTimeout(resolve, 200, 'waits for the request'))
  const outcome = await (type === 'private-cache' ? result : Promise.race([result, waiting]))
  // Rejects the pending call, as Next does at the end of a render.
  end.abort()
  result.catch(() => undefined)
  return outcome
}

test('auth() waits for the request in a prerender, and reads no session before', async () => {
  expect(await authInPrerender('prerender-runtime')).toBe('waits for the request')
  expect(session).not.toHaveBeenCalled()
})

test('auth() returns the session in a component with a private cache', async () => {
  expect(await authInPrerender('private-cache')).toMatchObject({ user: { name: 'Grace Hopper' } })
})
