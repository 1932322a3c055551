// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as react from '../../src/browser/react/index.ts'
import { closeSite, openSite, perform, sessionOf, settle, show, snapshots } from './greeting.tsx'
import { login, unusable } from '../frameworks/site.ts'
import type { Visit } from '../frameworks/site.ts'

let site: Visit
/** Set to reject the update of a session. */
let refusal: Error | undefined

beforeEach(() => {
  refusal = undefined
  site = openSite({
    callbacks: {
      jwt({ token, trigger, session }) {
        if (trigger !== 'update') return token
        if (refusal) throw refusal
        return { ...token, name: String(session.name) }
      },
    },
  })
})

afterEach(closeSite)

const stay = { ...login, redirect: false } as const

/** The last result of `useSession`. */
const now = () => snapshots.at(-1) ?? expect.fail('Nothing was rendered.')
const update = (data?: unknown) => perform(() => now().update(data))

describe('update', () => {
  beforeEach(async () => {
    await site.client.signIn('credentials', stay)
    site.page.requests.length = 0
  })

  test('shows the previous session until the update has completed', async () => {
    const page = await show({ session: sessionOf('Grace') })
    let answer = () => {}
    const waits = new Promise<void>((resolve) => (answer = resolve))
    site.page.intercept = (route) => (route === 'GET csrf' ? waits : undefined)
    const changed = now().update({ name: 'Amazing Grace' })
    await settle()
    expect(page.text()).toBe('authenticated: Grace')
    expect(now().isUpdating).toBe(true)
    answer()
    expect(await perform(() => changed)).toMatchObject({ user: { name: 'Amazing Grace' } })
    expect(page.text()).toBe('authenticated: Amazing Grace')
    expect(now().isUpdating).toBe(false)
  })

  test('without data reads the session', async () => {
    const page = await show({ session: null })
    expect(await update()).toMatchObject({ user: { name: 'Grace Hopper' } })
    expect(page.text()).toBe('authenticated: Grace Hopper')
    expect(site.page.requests).toEqual(['GET session'])
  })

  test('without data ignores the result of an earlier read', async () => {
    const page = await show({ session: sessionOf('Grace') })
    let answer = () => {}
    site.page.intercept = () =>
      new Promise((resolve) => (answer = () => resolve(Response.json(sessionOf('Grace')))))
    document.dispatchEvent(new Event('visibilitychange'))
    site.page.intercept = () => undefined
    const renewed = now().update()
    await settle()
    answer()
    expect(await perform(() => renewed)).toMatchObject({ user: { name: 'Grace Hopper' } })
    expect(page.text()).toBe('authenticated: Grace Hopper')
    expect(site.page.requests).toEqual(['GET session', 'GET session'])
  })

  test('takes precedence over a page that the server rendered earlier', async () => {
    const page = await show({ session: sessionOf('Grace') })
    await update({ name: 'Amazing Grace' })
    site.page.requests.length = 0
    await page.rerender({ session: sessionOf('Grace') })
    expect(page.text()).toBe('authenticated: Amazing Grace')
    expect(site.page.requests).toEqual(['GET session'])
    // Later renders are no older than the update.
    await page.rerender({ session: sessionOf('Grace') })
    expect(site.page.requests).toEqual(['GET session'])
  })

  test('shows no user after a sign-out in the meantime', async () => {
    const page = await show({ session: sessionOf('Grace') })
    await site.client.signOut({ redirect: false })
    expect(await update({ name: 'Amazing Grace' })).toBeNull()
    expect(page.text()).toBe('unauthenticated: no user')
  })

  test('rejects after a server error, and keeps the session', async () => {
    const page = await show({ session: sessionOf('Grace') })
    refusal = new Error('Not that name.')
    await expect(update({ name: 'Rear Admiral' })).rejects.toMatchObject({ status: 503 })
    expect(page.text()).toBe('authenticated: Grace')
    expect(now().isUpdating).toBe(false)
    refusal = undefined
    await update({ name: 'Amazing Grace' })
    expect(page.text()).toBe('authenticated: Amazing Grace')
  })

  test.each([
    ['is a 400 without an error', () => new Response('null', { status: 400 })],
    ['is a 403 with an error', () => Response.json({ error: 'MissingCSRF' }, { status: 403 })],
    ['is missing', unusable.networkError],
  ])('rejects when the response %s, and keeps the session', async (_how, answer) => {
    const page = await show({ session: sessionOf('Grace') })
    site.page.intercept = (route) => (route === 'POST session' ? answer() : undefined)
    const failure = expect.objectContaining({ name: 'ClientFetchError' }) as Error
    await expect(update({ name: 'Amazing Grace' })).rejects.toEqual(failure)
    expect(now()).toMatchObject({ status: 'authenticated', isUpdating: false })
    expect(page.text()).toBe('authenticated: Grace')
  })

  test('without data keeps the session when the read fails', async () => {
    const page = await show({ session: sessionOf('Grace') })
    site.page.intercept = unusable.networkError
    expect(await update()).toMatchObject({ user: { name: 'Grace' } })
    expect(page.text()).toBe('authenticated: Grace')
  })

  test('takes precedence over an earlier read', async () => {
    const page = await show({ session: sessionOf('Grace') })
    const late: (() => void)[] = []
    site.page.intercept = (route) =>
      route === 'GET session'
        ? new Promise((resolve) => late.push(() => resolve(Response.json(null))))
        : undefined
    document.dispatchEvent(new Event('visibilitychange'))
    await update({ name: 'Amazing Grace' })
    expect(late).toHaveLength(1)
    late[0]?.()
    await settle()
    expect(page.text()).toBe('authenticated: Amazing Grace')
  })

  test('is a stable function', async () => {
    await show({ session: sessionOf('Grace') })
    const [first] = snapshots
    await update({ name: 'Amazing Grace' })
    expect(now().update).toBe(first?.update)
  })
})

test('a session that the server renders again is shown without a request', async () => {
  const page = await show({ session: sessionOf('Grace') })
  await page.rerender({ session: sessionOf('Amazing Grace') })
  expect(page.text()).toBe('authenticated: Amazing Grace')
  expect(site.page.requests).toEqual([])
})

describe('signing in and out without leaving the page', () => {
  test('shows the new session', async () => {
    const page = await show({ session: null })
    const result = await perform(() => react.signIn('credentials', stay))
    expect(result).toMatchObject({ ok: true, error: undefined })
    expect(page.text()).toBe('authenticated: Grace Hopper')
    expect(site.page.requests.at(-1)).toBe('GET session')
    const { url } = await perform(() => react.signOut({ redirect: false, redirectTo: '/bye' }))
    expect(url).toBe('https://app.test/bye')
    expect(page.text()).toBe('unauthenticated: no user')
    expect(site.visited).toEqual([])
  })

  test('with a form shows the new session', async () => {
    const page = await show({ session: null })
    const form = new FormData()
    for (const [name, value] of Object.entries(stay)) form.set(name, String(value))
    await perform(() => react.signIn('credentials', form))
    expect(page.text()).toBe('authenticated: Grace Hopper')
    expect(site.visited).toEqual([])
  })

  test('ignores the result of a read that started before', async () => {
    let answer = () => {}
    let isFirst = true
    site.page.intercept = (route) => {
      if (route !== 'GET session' || !isFirst) return undefined
      isFirst = false
      return new Promise((resolve) => (answer = () => resolve(Response.json(null))))
    }
    const page = await show()
    await perform(() => react.signIn('credentials', stay))
    answer()
    await settle()
    expect(page.text()).toBe('authenticated: Grace Hopper')
  })

  test('does not read the session when the page redirects', async () => {
    const page = await show({ session: null })
    expect(await perform(() => react.signIn('credentials', login))).toBeUndefined()
    expect(page.text()).toBe('unauthenticated: no user')
    expect(site.visited).toHaveLength(1)
    expect(site.page.requests).not.toContain('GET session')
  })
})
