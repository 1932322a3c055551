// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as react from '../../src/react/index.ts'
import { leaveSite, openSite, perform, sessionOf, settle, show, told } from './greeting.tsx'
import { right, unusable } from './site.ts'
import type { Visit } from './site.ts'

let site: Visit
/** Set it to refuse the update of a session. */
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

afterEach(leaveSite)

const stay = { ...right, redirect: false } as const

/** What the page was told last. */
const now = () => told.at(-1) ?? expect.fail('Nothing was rendered.')
const update = (data?: unknown) => perform(() => now().update(data))

describe('update', () => {
  beforeEach(async () => {
    await site.client.signIn('credentials', stay)
    site.page.requests.length = 0
  })

  // Covers: react.update-answer
  test('shows the changed session; until then the page shows the old one', async () => {
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

  test('without data asks for the session', async () => {
    const page = await show({ session: null })
    expect(await update()).toMatchObject({ user: { name: 'Grace Hopper' } })
    expect(page.text()).toBe('authenticated: Grace Hopper')
    expect(site.page.requests).toEqual(['GET session'])
  })

  test('without data takes no answer to what was asked before: the session may have changed since', async () => {
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

  test('counts more than a page the server rendered before it, which arrives later', async () => {
    const page = await show({ session: sessionOf('Grace') })
    await update({ name: 'Amazing Grace' })
    site.page.requests.length = 0
    await page.again({ session: sessionOf('Grace') })
    expect(page.text()).toBe('authenticated: Amazing Grace')
    expect(site.page.requests).toEqual(['GET session'])
    // What is rendered from then on is no older than that.
    await page.again({ session: sessionOf('Grace') })
    expect(site.page.requests).toEqual(['GET session'])
  })

  // Covers: react.update-answer
  test('shows it when somebody has signed out in the meantime', async () => {
    const page = await show({ session: sessionOf('Grace') })
    await site.client.signOut({ redirect: false })
    expect(await update({ name: 'Amazing Grace' })).toBeNull()
    expect(page.text()).toBe('unauthenticated: nobody')
  })

  // Covers: react.update-failure
  test('fails where the server fails, and the page goes on', async () => {
    const page = await show({ session: sessionOf('Grace') })
    refusal = new Error('Not that name.')
    await expect(update({ name: 'Rear Admiral' })).rejects.toMatchObject({ status: 503 })
    expect(page.text()).toBe('authenticated: Grace')
    expect(now().isUpdating).toBe(false)
    refusal = undefined
    await update({ name: 'Amazing Grace' })
    expect(page.text()).toBe('authenticated: Amazing Grace')
  })

  // Covers: react.update-failure
  test.each([
    ['is refused with nothing at all', () => new Response('null', { status: 400 })],
    ['is refused with an error', () => Response.json({ error: 'MissingCSRF' }, { status: 403 })],
    ['does not come', unusable.nothing],
  ])('fails when the answer %s; the page is as it was', async (_how, answer) => {
    const page = await show({ session: sessionOf('Grace') })
    site.page.intercept = (route) => (route === 'POST session' ? answer() : undefined)
    const failure = expect.objectContaining({ name: 'ClientFetchError' }) as Error
    await expect(update({ name: 'Amazing Grace' })).rejects.toEqual(failure)
    expect(now()).toMatchObject({ status: 'authenticated', isUpdating: false })
    expect(page.text()).toBe('authenticated: Grace')
  })

  test('without data keeps what is known when there is no answer', async () => {
    const page = await show({ session: sessionOf('Grace') })
    site.page.intercept = unusable.nothing
    expect(await update()).toMatchObject({ user: { name: 'Grace' } })
    expect(page.text()).toBe('authenticated: Grace')
  })

  test('counts more than an answer that was asked for before', async () => {
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

  // Covers: react.strict-mode
  test('is the same function as long as the page is shown', async () => {
    await show({ session: sessionOf('Grace') })
    const [first] = told
    await update({ name: 'Amazing Grace' })
    expect(now().update).toBe(first?.update)
  })
})

test('what the server renders again is shown without asking', async () => {
  const page = await show({ session: sessionOf('Grace') })
  await page.again({ session: sessionOf('Amazing Grace') })
  expect(page.text()).toBe('authenticated: Amazing Grace')
  expect(site.page.requests).toEqual([])
})

describe('signing in and out without leaving the page', () => {
  test('shows who is there now', async () => {
    const page = await show({ session: null })
    const result = await perform(() => react.signIn('credentials', stay))
    expect(result).toMatchObject({ ok: true, error: undefined })
    expect(page.text()).toBe('authenticated: Grace Hopper')
    expect(site.page.requests.at(-1)).toBe('GET session')
    const { url } = await perform(() => react.signOut({ redirect: false, redirectTo: '/bye' }))
    expect(url).toBe('https://app.test/bye')
    expect(page.text()).toBe('unauthenticated: nobody')
    expect(site.journey).toEqual([])
  })

  test('with a form does, too', async () => {
    const page = await show({ session: null })
    const form = new FormData()
    for (const [name, value] of Object.entries(stay)) form.set(name, String(value))
    await perform(() => react.signIn('credentials', form))
    expect(page.text()).toBe('authenticated: Grace Hopper')
    expect(site.journey).toEqual([])
  })

  test('does not take an answer from before for the one after', async () => {
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

  test('leaves the page alone when it is left anyway', async () => {
    const page = await show({ session: null })
    expect(await perform(() => react.signIn('credentials', right))).toBeUndefined()
    expect(page.text()).toBe('unauthenticated: nobody')
    expect(site.journey).toHaveLength(1)
    expect(site.page.requests).not.toContain('GET session')
  })
})
