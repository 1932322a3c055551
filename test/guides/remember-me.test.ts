/** docs/guides/remember-me.md */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AuthConfig } from '../../src/index.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import type { Browser, Values } from '../../src/testing/index.ts'
import { configFor } from '../config.ts'
import { DAY, pass, SESSION, stopClock } from '../sessions.ts'
import { openGuide } from './guide.ts'

const HOUR = 3600

const guide = openGuide('remember-me')
const op = await issuer()

beforeEach(() => stopClock())
afterEach(() => void vi.useRealTimers())

async function open(file: string): Promise<Browser> {
  const { config } = await guide.load<{ config: Pick<AuthConfig, 'session'> }>(file)
  return browser(configFor(op, config).config, { issuer: op })
}

async function sessionLasts(tab: Browser): Promise<number> {
  const session = await tab.session()
  return Math.round((Date.parse(session?.expires ?? '') - Date.now()) / 1000)
}

const isPersistent = (tab: Browser) => tab.cookies.get(SESSION)?.expires !== Infinity

async function signIn(tab: Browser, fields: Record<string, string> = {}, person: Values = {}) {
  await (await tab.begin('op', fields)).complete({ sub: '1', ...person })
}

test('the idle timeout slides up to the absolute one', async () => {
  const tab = await open('timeouts.ts')
  await signIn(tab)
  for (let half = 0; half < 23; half++) {
    expect(await sessionLasts(tab)).toBe(HOUR)
    await pass(HOUR / 2)
  }
  expect(await sessionLasts(tab)).toBe(HOUR / 2)
  await pass(HOUR / 2)
  expect(await tab.session()).toBeNull()
})

test.each([
  ['a checked', { rememberShown: 'true', remember: 'true' }, 30 * DAY, true],
  ['an empty', { rememberShown: 'true' }, 2 * HOUR, false],
])(
  'with %s box, the session has the timeout of the page',
  async (_what, fields, idle, persistent) => {
    const tab = await open('remember.ts')
    const form = await (await tab.request('signin')).text()
    expect(form).toContain('name="remember"')
    await signIn(tab, fields)
    expect(await sessionLasts(tab)).toBe(idle)
    expect(isPersistent(tab)).toBe(persistent)
  },
)

test('administrators have shorter sessions, whatever they choose', async () => {
  const remember = { rememberShown: 'true', remember: 'true' }
  const admin = await open('by-role.ts')
  await signIn(admin, remember, { email: 'ada@example.com' })
  expect([await sessionLasts(admin), isPersistent(admin)]).toEqual([HOUR / 4, false])
  const other = await open('by-role.ts')
  await signIn(other, remember, { email: 'grace@example.com' })
  expect([await sessionLasts(other), isPersistent(other)]).toEqual([30 * DAY, true])
})
