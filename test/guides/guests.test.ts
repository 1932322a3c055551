/** docs/guides/guests.md */
import { SESSION, openSite } from '../frameworks/next/next-site.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { LibResult } from '../../src/frameworks/next/index.ts'
import { thrownRedirect } from '../frameworks/next/next-redirect.ts'
import { openGuide, stubGuideEnvironment } from './guide.ts'

const guide = openGuide('guests')

interface Actions {
  readonly startAsGuest: (form: FormData) => Promise<void>
}

beforeAll(stubGuideEnvironment)
afterAll(() => void vi.unstubAllEnvs())

function formFor(redirectTo: string): FormData {
  const form = new FormData()
  form.set('redirectTo', redirectTo)
  return form
}

test('a visitor is led to the page, becomes a guest, and returns', async () => {
  const lib = await guide.load<LibResult>('auth.ts')
  const { startAsGuest } = await guide.load<Actions>('app/guest/actions.ts')
  const site = openSite(lib)
  const { response, page } = await site.proxy(lib.auth, '/chat/1?room=7')
  expect(page).toBeUndefined()
  expect(response.headers.get('location')).toMatch(/\/guest\?redirectTo=%2Fchat%2F1%3Froom%3D7$/)
  const work = site.action(() => startAsGuest(formFor('/chat/1')))
  expect(await thrownRedirect(work)).toBe('https://app.test/chat/1')
  expect(await site.render(() => lib.auth())).toMatchObject({ user: { isGuest: true } })
  expect((await site.proxy(lib.auth, '/chat/1')).page).toBeDefined()
})

test('a session stays, and another site is no return URL', async () => {
  const lib = await guide.load<LibResult>('auth.ts')
  const { startAsGuest } = await guide.load<Actions>('app/guest/actions.ts')
  const site = openSite(lib)
  const start = () => thrownRedirect(site.action(() => startAsGuest(formFor('https://evil.test'))))
  expect(await start()).toBe('https://app.test')
  const session = site.cookies.get(SESSION)
  expect(await start()).toBe('/')
  expect([session?.value, site.cookies.get(SESSION)]).toEqual([expect.any(String), session])
})
