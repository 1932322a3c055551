import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { getSession } from '../../src/index.ts'
import { issuer } from '../../src/testing/index.ts'
import { databaseSite, down, errorTypes, hang, lost, once, rowOf, signedIn } from '../database.ts'
import { logged } from '../oauth.ts'
import { DAY, pass, SESSION, stopClock, cookieValue, until } from '../sessions.ts'

const op = await issuer({ algorithm: 'ES256' })
const JSON_CALLER = { accept: 'application/json' }

beforeEach(stopClock)
afterEach(() => void vi.useRealTimers())
afterEach(() => op.reset())

describe('a session that cannot be read', () => {
  test.each<[string, () => unknown]>([
    ['throws', down],
    ['returns a string', () => 'row'],
    ['returns a session without expires', () => ({ session: {}, user: { id: '1' } })],
    ['returns a user without id', () => ({ session: { expires: new Date() }, user: {} })],
    ['returns an array', () => []],
  ])('causes 503 and keeps its cookie if the database %s', async (_name, fault) => {
    const { tab, log, faults, config } = await signedIn(op)
    faults.getSessionAndUser = fault
    const response = await tab.request('session')
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('2')
    expect(response.headers.getSetCookie()).toEqual([])
    expect(await response.json()).toMatchObject({ error: 'SessionUnavailable', retryable: true })
    expect(errorTypes(log)).toEqual(['SessionUnavailable'])
    expect(logged(log, [cookieValue(tab)])).toEqual([])
    const headers = new Headers({ cookie: `${SESSION}=${cookieValue(tab)}`, host: 'app.test' })
    await expect(getSession(headers, config)).rejects.toMatchObject({ type: 'SessionUnavailable' })
    delete faults.getSessionAndUser
    expect(await tab.session()).not.toBeNull()
  })

  test('causes 503 after five seconds if the database does not respond', async () => {
    const { tab, calls, faults, log } = await signedIn(op)
    faults.getSessionAndUser = hang
    const answer = tab.request('session')
    await until(() => calls.length > 0)
    await pass(5)
    expect((await answer).status).toBe(503)
    expect(log.errors[0]).toMatchObject({
      cause: { err: { type: 'AdapterError', cause: { method: 'getSessionAndUser' } } },
    })
    expect(tab.cookies.get(SESSION)).toBeDefined()
  })

  test('is valid if the database responds in time', async () => {
    const { tab, calls, faults } = await signedIn(op)
    faults.getSessionAndUser = (run) =>
      new Promise((resolve) => void setTimeout(() => resolve(run()), 4999))
    const answer = tab.session()
    await until(() => calls.length > 0)
    await pass(4.999)
    expect(await answer).not.toBeNull()
  })

  test('is logged without its token, even if the database error contains it', async () => {
    const { tab, faults, log } = await signedIn(op)
    const token = cookieValue(tab)
    faults.getSessionAndUser = () => {
      throw new Error(`SELECT * FROM sessions WHERE token = '${token}'`)
    }
    await tab.request('session')
    expect(logged(log, [token])).toEqual([])
  })
})

describe('a session that cannot be extended', () => {
  test.each([
    ['throws', down, 0],
    ['does not respond within a second', hang, 1],
  ])('stays valid if the database %s', async (_name, fault, seconds) => {
    const { tab, faults, log, stored } = await signedIn(op)
    const end = tab.cookies.get(SESSION)?.expires ?? 0
    await pass(DAY)
    faults.updateSession = fault
    const answer = tab.request('session')
    await pass(seconds)
    const response = await answer
    expect(await response.json()).toMatchObject({ expires: new Date(end).toISOString() })
    expect(response.headers.getSetCookie()).toEqual([])
    expect(log.errors).toEqual([])
    expect(log.lines).toContainEqual(expect.arrayContaining(['warn', 'session-not-extended']))
    delete faults.updateSession
    await tab.session()
    const row = await stored.getSessionAndUser?.(cookieValue(tab))
    expect(row?.session.expires.getTime()).toBe(Date.now() + 30 * DAY * 1000)
  })
})

describe('an expired session that cannot be deleted', () => {
  test.each([
    ['throws', down, 0],
    ['does not respond within a second', hang, 1],
  ])('is rejected if the database %s', async (_name, fault, seconds) => {
    const { tab, faults, log } = await signedIn(op, { config: { session: { maxAge: 600 } } })
    const token = cookieValue(tab)
    await pass(600)
    tab.cookies.set(SESSION, token)
    faults.deleteSession = fault
    const answer = tab.session()
    await pass(seconds)
    expect(await answer).toBeNull()
    expect(tab.cookies.get(SESSION)).toBeUndefined()
    expect(log.errors).toEqual([])
    expect(log.lines).toContainEqual(expect.arrayContaining(['warn', 'session-left-behind']))
  })
})

describe('signing out', () => {
  test('responds with 503 during an outage, and keeps the session until it is repeated', async () => {
    const site = await signedIn(op)
    const { tab, faults, log } = site
    const token = cookieValue(tab)
    const csrfToken = await tab.csrfToken()
    faults.deleteSession = down
    const form = { csrfToken }
    const response = await tab.request('signout', { method: 'POST', form, headers: JSON_CALLER })
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ error: 'TemporarilyUnavailable' })
    expect(errorTypes(log)).toEqual(['SignOutError'])
    // An adapter may throw because the row does not exist, so a lookup follows each failed deletion.
    const deletion = ['deleteSession', 'getSessionAndUser']
    expect(site.called()).toEqual([...deletion, ...deletion, ...deletion])
    expect(cookieValue(tab)).toBe(token)
    expect(await tab.session()).not.toBeNull()
    delete faults.deleteSession
    const again = await tab.request('signout', { method: 'POST', form })
    expect(again.headers.get('location')).toBe(tab.origin)
    expect(tab.cookies.get(SESSION)).toBeUndefined()
    expect(await rowOf(site, token)).toBeNull()
  })

  test('redirects a browser to the error page during an outage', async () => {
    const { tab, faults } = await signedIn(op)
    faults.deleteSession = down
    const response = await tab.post('signout')
    expect(response.headers.get('location')).toBe(
      `${tab.origin}/auth/error?error=TemporarilyUnavailable`,
    )
  })

  test('succeeds after a short outage or a lost response', async () => {
    for (const [fault, again] of [
      [down, ['deleteSession']],
      [lost, []],
    ] as const) {
      const { tab, faults, log, called } = await signedIn(op)
      faults.deleteSession = once(fault)
      await tab.post('signout')
      expect(tab.cookies.get(SESSION)).toBeUndefined()
      const first = ['deleteSession', 'getSessionAndUser']
      expect(called()).toEqual([...first, ...again, 'deleteSession'])
      expect(log.errors).toEqual([])
    }
  })

  test('fails after five seconds without a response, not after three times five', async () => {
    const { tab, faults, calls } = await signedIn(op)
    const csrfToken = await tab.csrfToken()
    faults.deleteSession = hang
    let isAnswered = false
    const answer = tab
      .request('signout', { method: 'POST', form: { csrfToken }, headers: JSON_CALLER })
      .finally(() => (isAnswered = true))
    await until(() => calls.length > 0)
    await pass(4.999)
    expect(isAnswered).toBe(false)
    await pass(0.001)
    expect((await answer).status).toBe(503)
    expect(cookieValue(tab)).not.toBe('')
  })

  test('takes five seconds in total if the database fails slowly', async () => {
    const { tab, faults, calls } = await signedIn(op)
    const csrfToken = await tab.csrfToken()
    faults.deleteSession = () =>
      new Promise((_resolve, reject) => void setTimeout(() => reject(new Error('slow')), 4000))
    const answer = tab.request('signout', {
      method: 'POST',
      form: { csrfToken },
      headers: JSON_CALLER,
    })
    await until(() => calls.length > 0)
    await pass(5)
    expect((await answer).status).toBe(503)
    expect(calls.filter(({ method }) => method === 'deleteSession')).toHaveLength(2)
  })
})

describe('signing in', () => {
  test('succeeds when the previous session cannot be deleted', async () => {
    const { tab, faults, log } = await signedIn(op)
    const before = cookieValue(tab)
    faults.deleteSession = down
    await tab.signIn('op')
    expect(cookieValue(tab)).not.toBe(before)
    expect(await tab.session()).not.toBeNull()
    expect(log.errors).toEqual([])
    expect(log.lines).toContainEqual(expect.arrayContaining(['warn', 'session-left-behind']))
  })

  test('shows an error during an outage, not a signed-out page', async () => {
    const { tab, faults } = await signedIn(op)
    const csrfToken = await tab.csrfToken()
    faults.getSessionAndUser = down
    const form = { csrfToken }
    const response = await tab.request('signin/op', { method: 'POST', form, headers: JSON_CALLER })
    expect(response.status).toBe(503)
    expect(cookieValue(tab)).not.toBe('')
  })

  test.each(['getUserByAccount', 'createSession'] as const)(
    'fails after five seconds while %s does not respond, and succeeds when repeated',
    async (method) => {
      const { tab, open, faults, calls, log } = await signedIn(op)
      await tab.post('signout')
      const visitor = open()
      const transaction = await visitor.begin('op')
      faults[method] = hang
      const answer = transaction.complete()
      await until(() => calls.some((call) => call.method === method))
      await pass(5)
      expect((await answer).headers.get('location')).toContain('error=TemporarilyUnavailable')
      expect(errorTypes(log)).toEqual(['AdapterError'])
      expect(visitor.cookies.get(SESSION)).toBeUndefined()
      delete faults[method]
      await visitor.signIn('op')
      expect(await visitor.session()).not.toBeNull()
    },
  )

  test('creates no second user after a session that was not stored', async () => {
    const { tab, faults, stored, calls } = databaseSite(op)
    faults.createSession = once(down)
    expect((await tab.signIn('op')).headers.get('location')).toContain('TemporarilyUnavailable')
    expect(tab.cookies.get(SESSION)).toBeUndefined()
    await tab.signIn('op')
    expect(await tab.session()).not.toBeNull()
    expect(calls.filter(({ method }) => method === 'createUser')).toHaveLength(1)
    const user = await stored.getUserByEmail?.('ada@example.com')
    expect(await stored.listSessions?.(user?.id ?? '')).toHaveLength(1)
  })
})
