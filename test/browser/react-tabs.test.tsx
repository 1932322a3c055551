// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import * as react from '../../src/browser/react/index.ts'
import { closeSite, openSite, perform, sessionOf, settle, show, snapshots } from './greeting.tsx'
import { login } from '../frameworks/site.ts'
import type { Visit } from '../frameworks/site.ts'

let site: Visit

beforeEach(() => {
  site = openSite({
    callbacks: {
      jwt: ({ token, trigger, session }) =>
        trigger === 'update' ? { ...token, name: String(session.name) } : token,
    },
  })
})

afterEach(closeSite)

const stay = { ...login, redirect: false } as const
const update = (data?: unknown) => perform(async () => snapshots.at(-1)?.update(data))

/** Records the messages that another tab receives. */
function recordMessages() {
  const channel = new BroadcastChannel('lib-auth')
  const messages: unknown[] = []
  channel.addEventListener('message', ({ data }) => void messages.push(data))
  return { messages, close: () => channel.close() }
}

const reads = () => site.page.requests.filter((route) => route === 'GET session').length

describe('other tabs', () => {
  test('read the session once after a sign-in, an update and a sign-out', async () => {
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
    bothShow('unauthenticated: no user')
  })

  test('are notified by a page without a provider, which closes its channel', async () => {
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

  test('are notified of a sign-out on a page without a provider', async () => {
    await site.client.signIn('credentials', stay)
    const other = new BroadcastChannel('lib-auth')
    const received = vi.fn<(event: Event) => void>()
    other.addEventListener('message', received)
    await perform(() => react.signOut())
    await vi.waitFor(() => expect(received).toHaveBeenCalledTimes(1), { timeout: 20_000 })
    other.close()
  })

  test('are not notified of reads, and messages contain no session data', async () => {
    await site.client.signIn('credentials', stay)
    const { messages, close } = recordMessages()
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

  test('cannot trigger a read by unknown messages or after unmounting', async () => {
    const page = await show({ session: sessionOf('Grace') })
    const other = new BroadcastChannel('lib-auth')
    for (const message of ['session', null, { event: 'ping' }]) other.postMessage(message)
    await settle()
    expect(site.page.requests).toEqual([])
    page.unmount()
    other.postMessage({ event: 'session' })
    await settle()
    expect(site.page.requests).toEqual([])
    other.close()
  })

  test('are not notified by a browser without BroadcastChannel', async () => {
    vi.stubGlobal('BroadcastChannel', undefined)
    const page = await show({ session: null })
    await perform(() => react.signIn('credentials', stay))
    expect(page.text()).toBe('authenticated: Grace Hopper')
  })
})

describe('an unauthenticated tab', () => {
  test('is notified of a sign-in in another tab, as with a magic link', async () => {
    const waiting = await show({ session: null })
    await site.client.signIn('credentials', stay)
    site.page.requests.length = 0
    const opened = await show()
    await settle()
    expect(opened.text()).toBe('authenticated: Grace Hopper')
    expect(waiting.text()).toBe('authenticated: Grace Hopper')
    expect(reads()).toBe(2)
  })

  test('is notified when the server rendered the session in the other tab', async () => {
    const waiting = await show({ session: null })
    await site.client.signIn('credentials', stay)
    site.page.requests.length = 0
    await show({ session: sessionOf('Grace Hopper') })
    await settle()
    expect(waiting.text()).toBe('authenticated: Grace Hopper')
    expect(reads()).toBe(1)
  })

  test('reads the session once, and an authenticated tab does not', async () => {
    await site.client.signIn('credentials', stay)
    site.page.requests.length = 0
    const { messages, close } = recordMessages()
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

  test('sends no message', async () => {
    const { messages, close } = recordMessages()
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
    ['a sign-out', grace, null, 'unauthenticated: no user'],
    ['a sign-in', null, grace, 'authenticated: Grace Hopper'],
    ['a new name', sessionOf('Grace'), grace, 'authenticated: Grace Hopper'],
  ])('%s notifies the other tab once', async (_what, from, to, text) => {
    if (to) await site.client.signIn('credentials', stay)
    const acting = await show({ session: from })
    const other = await show({ session: from })
    await settle()
    site.page.requests.length = 0
    const { messages, close } = recordMessages()
    await acting.rerender({ session: to })
    await settle()
    expect(acting.text()).toBe(text)
    expect(other.text()).toBe(text)
    expect(reads()).toBe(1)
    expect(messages).toEqual([{ event: 'session' }])
    // An application may render the other tab on the server again, with the same session.
    await other.rerender({ session: to && { ...to } })
    await settle()
    expect(messages).toHaveLength(1)
    expect(reads()).toBe(1)
    close()
  })

  test('sends no message when only the expiry has changed', async () => {
    const page = await show({ session: grace })
    const { messages, close } = recordMessages()
    await page.rerender({ session: { ...grace, expires: '2999-01-02T00:00:00.000Z' } })
    await page.rerender({})
    await page.rerender({ session: { ...grace } })
    expect(messages).toEqual([])
    close()
  })

  test('notifies tabs for sessions without a user, unless only the expiry has changed', async () => {
    const member = (number: number, day = 1) => ({ member: number, expires: `2999-01-0${day}` })
    const page = await show({ session: member(7) })
    const { messages, close } = recordMessages()
    await page.rerender({ session: member(7, 2) })
    expect(messages).toEqual([])
    await page.rerender({ session: member(8) })
    expect(messages).toEqual([{ event: 'session' }])
    close()
  })

  test('notifies tabs once when the page renders a part of the session', async () => {
    await site.client.signIn('credentials', stay)
    const less = () => ({ ...grace, user: { image: null } })
    const page = await show({ session: less() })
    const { messages, close } = recordMessages()
    await update()
    expect(page.text()).toBe('authenticated: Grace Hopper')
    await page.rerender({ session: less() })
    expect(messages).toEqual([])
    close()
  })
})

describe('a sign-in that redirects', () => {
  test.each([
    ['with a password notifies the other tabs', 'credentials', login, [{ event: 'session' }]],
    ['with a wrong one notifies no tab', 'credentials', { ...login, password: 'wrong' }, []],
    ['at a provider notifies no tab before the user has signed in', 'op', {}, []],
    ['on the sign-in page notifies no tab', undefined, {}, []],
  ])('%s', async (_what, provider, fields, expected) => {
    const { messages, close } = recordMessages()
    await show({ session: null })
    await perform(() => react.signIn(provider, fields))
    expect(messages).toEqual(expected)
    expect(site.visited).toHaveLength(1)
    await perform(() => react.signIn(provider, { ...fields, redirect: false }))
    expect(messages).toEqual([...expected, ...expected])
    // This tab does not read the session either.
    expect(reads()).toBe(expected.length)
    close()
  })
})
