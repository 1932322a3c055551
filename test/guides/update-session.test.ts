/** docs/guides/update-session.md */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { CallbacksOptions } from '../../src/index.ts'
import type { LibResult } from '../../src/frameworks/next/index.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import { configFor } from '../config.ts'
import { encode } from '../../src/jwt.ts'
import { SECRET } from '../config.ts'
import { openSite, SESSION } from '../frameworks/next/next-site.ts'
import { openGuide, stubGuideEnvironment } from './guide.ts'

const guide = openGuide('update-session')

beforeAll(stubGuideEnvironment)
afterAll(() => void vi.unstubAllEnvs())

/** The site of the guide, on which Ada is signed in. */
async function signedIn() {
  const lib = await guide.load<LibResult>('auth.ts')
  const site = openSite(lib)
  const token = { sub: 'github|1', name: 'Ada', email: 'ada@example.com' }
  const value = await encode({ token, secret: SECRET, salt: SESSION })
  site.cookies.accept(`${SESSION}=${value}; Path=/; Secure; HttpOnly`, new URL('https://app.test'))
  const { rename } = await guide.load<{ rename: (form: FormData) => Promise<void> }>(
    'app/profile/actions.ts',
  )
  const formOf = (name: string) => {
    const form = new FormData()
    form.set('name', name)
    return form
  }
  return { site, rename: (name: string) => site.action(() => rename(formOf(name))) }
}

test.each([
  [' Ada Lovelace ', 'Ada Lovelace'],
  ['   ', 'Ada'],
  ['x'.repeat(200), 'x'.repeat(100)],
])('the action with the name "%s" gives the session the name "%s"', async (typed, name) => {
  const { site, rename } = await signedIn()
  await rename(typed)
  const session = await site.render(() => site.auth())
  expect(session?.user?.name).toBe(name)
})

test('the action without a session throws, and sets no session', async () => {
  const { site, rename } = await signedIn()
  site.cookies.accept(`${SESSION}=; Path=/; Secure; Max-Age=0`, new URL('https://app.test'))
  await expect(rename('Eve')).rejects.toThrow('Sign in again.')
  expect(await site.render(() => site.auth())).toBeNull()
})

test('a value that the session callback looks up changes with the next read', async () => {
  const { session, plans } = await guide.load<{
    session: CallbacksOptions['session']
    plans: Map<string, string>
  }>('live-plan.ts')
  const op = await issuer()
  const tab = browser(configFor(op, { callbacks: { session } }).config, { issuer: op })
  await tab.signIn('op', { sub: '7' })
  expect(await tab.session()).toMatchObject({ plan: 'free' })
  plans.set('op|7', 'paid')
  expect(await tab.session()).toMatchObject({ plan: 'paid' })
})
