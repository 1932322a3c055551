// @vitest-environment jsdom
import { cleanup } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import * as react from '../../src/react/index.ts'
import { perform, sessionOf, settle, show, told } from './greeting.tsx'
import { right, siteConfig, visit } from './site.ts'
import type { Visit } from './site.ts'

let site: Visit

beforeEach(() => {
  const { config } = siteConfig({
    callbacks: {
      jwt: ({ token, trigger, session }) =>
        trigger === 'update' ? { ...token, name: String(session.name) } : token,
    },
  })
  site = visit(config)
  vi.stubGlobal('fetch', site.page.fetch)
  told.length = 0
})

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const stay = { ...right, redirect: false } as const
const update = (data: unknown) => perform(async () => told.at(-1)?.update(data))

describe('other tabs', () => {
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

  test('hear of a sign-out from a page without a provider', async () => {
    await site.client.signIn('credentials', stay)
    const other = new BroadcastChannel('lib-auth')
    const heard = vi.fn<(event: Event) => void>()
    other.addEventListener('message', heard)
    await perform(() => react.signOut())
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(1))
    other.close()
  })

  test('are not told of what was merely read, nor of anything about the session', async () => {
    await site.client.signIn('credentials', stay)
    const other = new BroadcastChannel('lib-auth')
    const messages: unknown[] = []
    other.addEventListener('message', ({ data }) => void messages.push(data))
    await show()
    await react.getSession()
    document.dispatchEvent(new Event('visibilitychange'))
    await settle()
    expect(messages).toEqual([])
    await update({ name: 'Amazing Grace' })
    await vi.waitFor(() => expect(messages).toEqual([{ event: 'session' }]))
    other.close()
  })

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
