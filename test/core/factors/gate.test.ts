/** Until the second step is passed, no request gets a session or tells who the user is, whatever its cookies are. */
import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import { getSession, requireAuth } from '../../../src/index.ts'
import { SessionRequired } from '../../../src/errors.ts'
import { browser } from '../../../src/testing/index.ts'
import { SESSION, stopClock } from '../../sessions.ts'
import { requestOf, valueOf } from '../account/account-site.ts'
import { appCode } from './app-code.ts'
import {
  ADA,
  enrolledSite,
  enterCode,
  factorsOf,
  locationOf,
  op,
  pendingOf,
  STRATEGIES,
} from './factor-site.ts'

beforeEach(stopClock)
afterEach(() => void vi.useRealTimers())

const ROUTES = [
  'session',
  'csrf',
  'providers',
  'signin',
  'signin/op',
  'signin/password',
  'callback/password',
  'callback/op?code=x&state=y',
  'callback/email?token=x&email=ada%40example.com',
  'callback/passkey',
  'webauthn-options/passkey',
  'step-up',
  'step-up?recovery=true',
  'step-up?stepUp=x',
  'verify-request',
  'confirm?token=x',
  'password/change',
  'post-logout?state=x',
  'signout',
  'error',
]

const PENDING = '__Host-lib.pending'
/** Cookies of the site, chunks, and those of other connections. */
const NAMES = [
  PENDING,
  `${PENDING}.0`,
  SESSION,
  `${SESSION}.0`,
  '__Secure-lib.session-token',
  'lib.session-token',
  '__Secure-authjs.session-token',
  '__Host-lib.resume',
  '__Host-lib.form',
  '__Host-lib.known',
  '__Host-lib.callback-url',
]

const request = fc.record({
  route: fc.constantFrom(...ROUTES),
  method: fc.constantFrom('GET' as const, 'POST' as const),
  cookies: fc.dictionary(fc.constantFrom(...NAMES), fc.constantFrom('whole', 'half', 'other'), {
    minKeys: 1,
    maxKeys: 4,
  }),
  fields: fc.dictionary(
    fc.constantFrom(
      'code',
      'email',
      'password',
      'stepUp',
      'token',
      'provider',
      'recovery',
      'remember',
    ),
    fc.constantFrom('000000', '', 'true', 'wrong', ADA.email),
    { maxKeys: 3 },
  ),
})

test.each(STRATEGIES)(
  'with any cookies and fields, at any route (%s)',
  async (strategy) => {
    const site = await enrolledSite(strategy, { account: {} })
    const waiting = site.open()
    await waiting.post('callback/password', { email: ADA.email, password: 'right' })
    const [pending = ''] = pendingOf(waiting)
    const values = { whole: pending, half: pending.slice(0, pending.length / 2), other: 'x.y.z' }
    site.calls.length = 0
    const run = fc.asyncProperty(request, async ({ route, method, cookies, fields }) => {
      const tab = site.open()
      for (const [name, value] of Object.entries(cookies)) tab.cookies.set(name, values[value])
      const send = async () => {
        if (method === 'GET') return tab.request(route)
        return tab.post(route.replace(/\?.*/, ''), fields)
      }
      const response = await send()
      const text = await response.text()
      // The address may be shown again to the browser that has typed it.
      const isTyped = Object.values(fields).includes(ADA.email) || route.includes('email=')
      if (!isTyped) expect(text + response.headers.get('location')).not.toContain(ADA.email)
      expect(text).not.toContain(site.userId)
      expect(await tab.session()).toBeNull()
      expect(await getSession(requestOf(tab), site.config)).toMatchObject({ session: null })
      await expect(requireAuth(requestOf(tab), site.config)).rejects.toThrow(SessionRequired)
      expect(await factorsOf(site, tab).list()).toBeNull()
    })
    await fc.assert(run, { numRuns: 150 })
    expect(site.calls).toEqual([])
  },
  60_000,
)

test.each(STRATEGIES)('with the cookie of another tenant (%s)', async (strategy) => {
  const adapter = MemoryAdapter()
  const site = await enrolledSite(strategy, { adapter })
  const tab = site.open()
  await tab.post('callback/password', { email: ADA.email, password: 'right' })
  const other = browser(site.config, { issuer: op, origin: 'https://other.test' })
  for (const value of pendingOf(tab)) other.cookies.set(PENDING, value)
  const answer = await enterCode(other, await appCode(site.secret))
  expect(locationOf(answer)).toBe('https://other.test/auth/signin?error=InvalidCheck')
  expect(await other.session()).toBeNull()
})

test('the functions of factors need secondStep, and those of accounts need account', async () => {
  const { secondStep: _none, ...config } = (await enrolledSite('jwt', { account: {} })).config
  const tab = browser(config, { issuer: op })
  await tab.signIn('op', { sub: 'eve', email: 'eve@example.com' })
  await expect(factorsOf({ config }, tab).enroll()).rejects.toThrow('Set secondStep: {}')
  const { removeUser } = await import('../../../src/account.ts')
  const site = await enrolledSite('jwt')
  const call = valueOf(site.tab, removeUser(requestOf(site.tab), site.config))
  await expect(call).rejects.toThrow('Set account: {}')
})
