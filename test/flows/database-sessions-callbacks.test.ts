import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { CallbacksOptions, EventsOptions } from '../../src/index.ts'
import { issuer } from '../../src/testing/index.ts'
import type { Browser } from '../../src/testing/index.ts'
import { ADA, ADAPTERS, databaseSite, rowOf, signedIn } from '../database.ts'
import { SESSION, stopClock, cookieValue, cookiesSetBy } from '../sessions.ts'

const op = await issuer({ algorithm: 'ES256' })

beforeEach(stopClock)
afterEach(() => {
  vi.useRealTimers()
  op.reset()
})

function update(tab: Browser, data: unknown): Promise<Response> {
  return tab
    .csrfToken()
    .then((csrfToken) => tab.request('session', { method: 'POST', json: { csrfToken, data } }))
}

describe('signing in', () => {
  test('an existing user takes four calls', async () => {
    const site = await signedIn(op)
    const tab = site.open()
    await tab.signIn('op')
    expect(site.called()).toEqual([
      'getUserByAccount',
      'createSession',
      'listAccounts',
      'updateAccount',
    ])
  })

  test('an existing user takes three calls if the adapter has only required methods', async () => {
    const site = await signedIn(op, { adapter: ADAPTERS['with required methods only']?.() ?? {} })
    await site.open().signIn('op')
    expect(site.called()).toEqual(['getUserByAccount', 'createSession', 'getUserByAccount'])
  })

  test('again creates a new session and deletes the previous one', async () => {
    const site = await signedIn(op)
    const before = cookieValue(site.tab)
    await site.tab.signIn('op')
    expect(site.called()).toEqual([
      'getSessionAndUser',
      'getUserByAccount',
      'getSessionAndUser',
      'createSession',
      'listAccounts',
      'updateAccount',
      'deleteSession',
    ])
    expect(cookieValue(site.tab)).not.toBe(before)
    expect(await rowOf(site, before)).toBeNull()
    expect((await site.tab.session())?.user).toEqual(ADA)
  })

  test('ends only the session of this browser', async () => {
    const site = await signedIn(op)
    const elsewhere = site.open()
    await elsewhere.signIn('op')
    await site.tab.signIn('op')
    expect(await elsewhere.session()).not.toBeNull()
  })

  test('replaces a planted session and does not link its user (session fixation)', async () => {
    const site = await signedIn(op)
    const eve = cookieValue(site.tab)
    const victim = site.open()
    const transaction = await victim.begin('op')
    victim.cookies.set(SESSION, eve)
    await transaction.complete({ sub: 'bob', name: 'Bob', email: 'bob@example.com' })
    expect((await victim.session())?.user?.name).toBe('Bob')
    expect(cookieValue(victim)).not.toBe(eve)
    expect(await rowOf(site, eve)).toBeNull()
    const ada = await site.stored.getUserByEmail?.(ADA.email)
    expect(await site.stored.listAccounts?.(ada?.id ?? '')).toHaveLength(1)
  })

  test('changes the CSRF token, which then belongs to the session', async () => {
    const { tab, open } = databaseSite(op)
    const before = await tab.csrfToken()
    await tab.signIn('op')
    const after = await tab.csrfToken()
    expect(after).not.toBe(before)
    await tab.session()
    expect(await tab.csrfToken()).toBe(after)
    expect(await open().csrfToken()).not.toBe(after)
  })
})

test('an update sets a cookie, a read does not', async () => {
  const { tab } = await signedIn(op)
  expect(cookiesSetBy(await tab.request('session'))).toEqual([])
  const before = cookieValue(tab)
  expect(cookiesSetBy(await update(tab, { name: 'Countess' }))).toContain(SESSION)
  expect(cookieValue(tab)).toBe(before)
})

describe('the session callback', () => {
  test('receives the stored session with its whole user', async () => {
    const session = vi.fn<NonNullable<CallbacksOptions['session']>>(({ session: given }) => given)
    const site = await signedIn(op, { config: { callbacks: { session } } })
    await site.tab.session()
    const row = await rowOf(site, cookieValue(site.tab))
    expect(session).toHaveBeenCalledExactlyOnceWith({
      session: {
        sessionToken: cookieValue(site.tab),
        userId: row?.user.id,
        expires: row?.session.expires,
        user: row?.user,
      },
      user: row?.user,
    })
  })

  test('determines what the browser receives, without the token', async () => {
    const callbacks: CallbacksOptions = {
      session: ({ session, user }) => ({ ...session, user: { ...session.user, id: user.id } }),
    }
    const site = await signedIn(op, { config: { callbacks } })
    const body = await (await site.tab.request('session')).text()
    expect(body).toContain((await rowOf(site, cookieValue(site.tab)))?.user.id)
    expect(body).not.toContain(cookieValue(site.tab))
    expect(body).not.toContain('sessionToken')
  })

  test('exposes the default session if it returns nothing', async () => {
    const callbacks: CallbacksOptions = { session: () => undefined as never }
    const site = await signedIn(op, { config: { callbacks } })
    expect(Object.keys((await site.tab.session()) ?? {})).toEqual(['user', 'expires'])
    expect((await site.tab.session())?.user).toEqual(ADA)
  })

  test('reports no session if it returns null, without an event', async () => {
    const events: EventsOptions = { session: vi.fn() }
    const callbacks: CallbacksOptions = { session: () => null as never }
    const site = await signedIn(op, { config: { callbacks, events } })
    expect(await site.tab.session()).toBeNull()
    expect(events.session).not.toHaveBeenCalled()
    expect(await rowOf(site, cookieValue(site.tab))).not.toBeNull()
  })

  test('receives the data and the trigger of an update', async () => {
    const session = vi.fn<NonNullable<CallbacksOptions['session']>>(
      ({ session: { user, expires }, newSession, trigger }) => ({
        user: { ...user, name: trigger === 'update' ? newSession.name : user.name },
        expires,
      }),
    )
    const { tab } = await signedIn(op, { config: { callbacks: { session } } })
    const response = await update(tab, { name: 'Countess' })
    expect(await response.json()).toMatchObject({ user: { name: 'Countess' } })
    expect(session.mock.lastCall?.[0]).toMatchObject({
      trigger: 'update',
      newSession: { name: 'Countess' },
    })
    expect((await tab.session())?.user?.name).toBe(ADA.name)
    expect(session.mock.lastCall?.[0]).not.toHaveProperty('trigger')
  })

  test('an update changes nothing without it', async () => {
    const site = await signedIn(op)
    const before = await rowOf(site, cookieValue(site.tab))
    const response = await update(site.tab, { user: { name: 'Eve' }, expires: '2099-01-01' })
    expect(await response.json()).toMatchObject({ user: ADA })
    expect(await rowOf(site, cookieValue(site.tab))).toEqual(before)
  })

  test('an update without a session returns null', async () => {
    const { tab } = databaseSite(op)
    expect(await (await update(tab, { name: 'Eve' })).json()).toBeNull()
  })
})

test('the session event receives the exposed session', async () => {
  const session = vi.fn<NonNullable<EventsOptions['session']>>()
  const { tab } = await signedIn(op, { config: { events: { session } } })
  const seen = await tab.session()
  expect(session).toHaveBeenCalledExactlyOnceWith({ session: seen })
})
