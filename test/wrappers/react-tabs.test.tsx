// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import * as react from '../../src/react/index.ts'
import { leaveSite, openSite, perform, sessionOf, settle, show, told } from './greeting.tsx'
import { right } from './site.ts'
import type { Visit } from './site.ts'

let site: Visit

beforeEach(() => {
  site = openSite({
    callbacks: {
      jwt: ({ token, trigger, session }) =>
        trigger === 'update' ? { ...token, name: String(session.name) } : token,
    },
  })
})

afterEach(leaveSite)

const stay = { ...right, redirect: false } as const
const update = (data?: unknown) => perform(async () => told.at(-1)?.update(data))

/** What is said on the channel, as another tab hears it. */
function listenIn() {
  const channel = new BroadcastChannel('lib-auth')
  const messages: unknown[] = []
  channel.addEventListener('message', ({ data }) => void messages.push(data))
  return { messages, close: () => channel.close() }
}

const reads = () => site.page.requests.filter((route) => route === 'GET session').length

describe('other tabs', () => {
  // Covers: react.requests
  test('hear of a sign-in, an update and a sign-out, and each asks once', async () => {
    const first = await show({ session: null })
    const second = await show({ session: null })
    const bothShow = (text: string) => expect([first.text(), second.text()]).toEqual([text, text])
    await perform(() => react.signIn('credentials', stay))
    bothShow('authenticated: Grace Hopper')
    expect(site.page.requests.filter((route) => route === 'GET session')).toHaveLength(2)
    site.page.requests.length = 0
    await update({ name: 'Amazing Grace' })
    bothShow('authenticated: Amazing Grace')
    expect(site.page.requests).toEqual(['GET csrf', 'POST session', 'GET session'])
    await perform(() => react.signOut({ redirect: false }))
    bothShow('unauthenticated: nobody')
  })

  test('are told by a page without a provider, which then leaves nothing open', async () => {
    const open = new Set<BroadcastChannel>()
    const opened = vi.fn<() => void>()
    class Counted extends BroadcastChannel {
      constructor(name: string) {
        super(name)
        opened()
        open.add(this)
      }
      override close() {
        open.delete(this)
        super.close()
      }
    }
    vi.stubGlobal('BroadcastChannel', Counted)
    await react.signIn('credentials', stay)
    await react.signOut({ redirect: false })
    expect(opened).toHaveBeenCalledTimes(2)
    expect(open.size).toBe(0)
  })

  test('hear of a sign-out from a page without a provider', async () => {
    await site.client.signIn('credentials', stay)
    const other = new BroadcastChannel('lib-auth')
    const heard = vi.fn<(event: Event) => void>()
    other.addEventListener('message', heard)
    await perform(() => react.signOut())
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(1), { timeout: 20_000 })
    other.close()
  })

  // Covers: react.requests
  test('are not told of what was merely read, nor of anything about the session', async () => {
    await site.client.signIn('credentials', stay)
    const { messages, close } = listenIn()
    await show({ session: null })
    await react.getSession()
    await update()
    document.dispatchEvent(new Event('visibilitychange'))
    await settle()
    expect(messages).toEqual([])
    await update({ name: 'Amazing Grace' })
    await vi.waitFor(() => expect(messages).toEqual([{ event: 'session' }]), { timeout: 20_000 })
    close()
  })

  // Covers: react.requests
  test('cannot make this one ask by whatever they say, nor after it is left', async () => {
    const page = await show({ session: sessionOf('Grace') })
    const other = new BroadcastChannel('lib-auth')
    for (const message of ['session', null, { event: 'ping' }]) other.postMessage(message)
    await settle()
    expect(site.page.requests).toEqual([])
    page.leave()
    other.postMessage({ event: 'session' })
    await settle()
    expect(site.page.requests).toEqual([])
    other.close()
  })

  test('are not there in an old browser, and nothing breaks', async () => {
    vi.stubGlobal('BroadcastChannel', undefined)
    const page = await show({ session: null })
    await perform(() => react.signIn('credentials', stay))
    expect(page.text()).toBe('authenticated: Grace Hopper')
  })
})

describe('a tab that shows nobody', () => {
  test('hears of a sign-in that ended in another tab, as with a link in an e-mail', async () => {
    const waiting = await show({ session: null })
    await site.client.signIn('credentials', stay)
    site.page.requests.length = 0
    const opened = await show()
    await settle()
    expect(opened.text()).toBe('authenticated: Grace Hopper')
    expect(waiting.text()).toBe('authenticated: Grace Hopper')
    expect(reads()).toBe(2)
  })

  test('hears of it as well when the server has rendered who is there', async () => {
    const waiting = await show({ session: null })
    await site.client.signIn('credentials', stay)
    site.page.requests.length = 0
    await show({ session: sessionOf('Grace Hopper') })
    await settle()
    expect(waiting.text()).toBe('authenticated: Grace Hopper')
    expect(reads()).toBe(1)
  })

  test('asks once, however many there are; who is signed in does not', async () => {
    await site.client.signIn('credentials', stay)
    site.page.requests.length = 0
    const { messages, close } = listenIn()
    await show({ session: sessionOf('Grace') })
    await show({ session: sessionOf('Grace') })
    expect(reads()).toBe(0)
    for (let tab = 0; tab < 4; tab++) await show({ session: null })
    await show({ session: sessionOf('Grace') })
    await settle()
    expect(reads()).toBe(4)
    const greeting = { event: 'signed-in' }
    expect(messages).toEqual([greeting, greeting, greeting])
    close()
  })

  test('says nothing itself', async () => {
    const { messages, close } = listenIn()
    await show({ session: null })
    await show()
    await settle()
    expect(messages).toEqual([])
    close()
  })
})

describe('a server action', () => {
  const grace = sessionOf('Grace Hopper')

  test.each([
    ['a sign-out', grace, null, 'unauthenticated: nobody'],
    ['a sign-in', null, grace, 'authenticated: Grace Hopper'],
    ['a new name', sessionOf('Grace'), grace, 'authenticated: Grace Hopper'],
  ])('%s reaches the other tab, once, and is not sent back', async (_what, from, to, text) => {
    if (to) await site.client.signIn('credentials', stay)
    const acting = await show({ session: from })
    const other = await show({ session: from })
    await settle()
    site.page.requests.length = 0
    const { messages, close } = listenIn()
    await acting.again({ session: to })
    await settle()
    expect(acting.text()).toBe(text)
    expect(other.text()).toBe(text)
    expect(reads()).toBe(1)
    expect(messages).toEqual([{ event: 'session' }])
    // An application may have the server render the other tab again, which then says the same.
    await other.again({ session: to && { ...to } })
    await settle()
    expect(messages).toHaveLength(1)
    expect(reads()).toBe(1)
    close()
  })

  test('is not heard of where nothing has changed but the end of the session', async () => {
    const page = await show({ session: grace })
    const { messages, close } = listenIn()
    await page.again({ session: { ...grace, expires: '2999-01-02T00:00:00.000Z' } })
    await page.again({})
    await page.again({ session: { ...grace } })
    expect(messages).toEqual([])
    close()
  })

  test('is heard of where sessions name no user, unless nothing but their end has changed', async () => {
    const member = (number: number, day = 1) => ({ member: number, expires: `2999-01-0${day}` })
    const page = await show({ session: member(7) })
    const { messages, close } = listenIn()
    await page.again({ session: member(7, 2) })
    expect(messages).toEqual([])
    await page.again({ session: member(8) })
    expect(messages).toEqual([{ event: 'session' }])
    close()
  })

  test('is told of once where the page shows less of a session than there is', async () => {
    await site.client.signIn('credentials', stay)
    const less = () => ({ ...grace, user: { image: null } })
    const page = await show({ session: less() })
    const { messages, close } = listenIn()
    await update()
    expect(page.text()).toBe('authenticated: Grace Hopper')
    await page.again({ session: less() })
    expect(messages).toEqual([])
    close()
  })
})

describe('a sign-in that leaves the page', () => {
  test.each([
    ['with a password tells the other tabs', 'credentials', right, [{ event: 'session' }]],
    ['with a wrong one does not', 'credentials', { ...right, password: 'wrong' }, []],
    ['to a provider does not: nobody is signed in yet', 'op', {}, []],
    ['to the sign-in page does not', undefined, {}, []],
  ])('%s', async (_what, provider, fields, expected) => {
    const { messages, close } = listenIn()
    await show({ session: null })
    await perform(() => react.signIn(provider, fields))
    expect(messages).toEqual(expected)
    expect(site.journey).toHaveLength(1)
    await perform(() => react.signIn(provider, { ...fields, redirect: false }))
    expect(messages).toEqual([...expected, ...expected])
    // Nor is the session of this tab asked for.
    expect(reads()).toBe(expected.length)
    close()
  })
})
