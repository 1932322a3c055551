/** Session tokens that the library, the application or the adapter generates. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { SessionOptions } from '../../src/config/types.ts'
import { issuer } from '../../src/testing/index.ts'
import { ADA, databaseSite, signedIn } from '../database.ts'
import { DAY, readWith, SESSION, stopClock, cookieValue } from '../sessions.ts'

const op = await issuer({ algorithm: 'ES256' })

beforeEach(stopClock)
afterEach(() => {
  vi.useRealTimers()
  op.reset()
})

describe('a session', () => {
  test.each<[string, SessionOptions]>([
    ['a UUID', { generateSessionToken: () => 'b6ee33c1-9f0f-4b8b-8d3e-4a3f1f6ad4f5' }],
    ['characters that are not valid in cookies', { generateSessionToken: () => 'a; b="ü"' }],
  ])('has the token that generateSessionToken returns: %s', async (_name, session) => {
    const site = await signedIn(op, { config: { session } })
    expect(cookieValue(site.tab)).toBe(session.generateSessionToken?.())
    expect((await site.tab.session())?.user).toEqual(ADA)
  })

  test.each([
    ['an empty string', () => ''],
    ['a number', () => 7 as never],
    ['too many characters', () => 'a'.repeat(1025)],
  ])('is not created if generateSessionToken returns %s', async (_name, generateSessionToken) => {
    const { tab, log } = databaseSite(op, { config: { session: { generateSessionToken } } })
    const response = await tab.signIn('op')
    expect(response.headers.get('location')).toContain('/auth/error?error=Configuration')
    expect(log.errors[0]?.message).toContain('session.generateSessionToken did not return')
    expect(tab.cookies.get(SESSION)).toBeUndefined()
  })

  test('has the token and the expiry that the adapter returns', async () => {
    const end = new Date(Date.now() + 29.5 * DAY * 1000)
    const { tab, faults, stored } = databaseSite(op)
    faults.createSession = async () => {
      const user = await stored.getUserByEmail?.(ADA.email)
      const row = { sessionToken: 'theirs', userId: user?.id ?? '', expires: end }
      return stored.createSession?.(row)
    }
    await tab.signIn('op')
    expect(cookieValue(tab)).toBe('theirs')
    expect(tab.cookies.get(SESSION)?.expires).toBe(end.getTime())
    expect((await tab.session())?.expires).toBe(end.toISOString())
  })

  test('is looked up once in each form, even if the browser sends its token repeatedly', async () => {
    const { config, called } = databaseSite(op)
    const token = 'a'.repeat(64)
    const names = [SESSION, SESSION, SESSION.replace('__Host-', '')]
    await readWith(names.map((name) => `${name}=${token}`).join('; '), config)
    expect(called()).toEqual(['getSessionAndUser', 'getSessionAndUser'])
  })

  test('has the proposed token and expiry if the adapter returns no row', async () => {
    const { tab, faults } = databaseSite(op)
    faults.createSession = async (run) => void (await run())
    await tab.signIn('op')
    expect((await tab.session())?.user).toEqual(ADA)
  })
})
