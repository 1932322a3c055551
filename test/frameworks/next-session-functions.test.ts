/** `sessions` and `requireAuth` of `lib-auth/next` in components and actions. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../src/adapters/memory.ts'
import type { AuthConfig } from '../../src/index.ts'
import { storeOf } from '../core/tokens/record-store.ts'
import { nextSite, ORIGIN, thrownRedirect, thrownRedirectStatus } from './next/next-site.ts'

afterEach(() => void vi.useRealTimers())

const settings = (): Pick<AuthConfig, 'session' | 'store'> => ({
  store: storeOf(MemoryAdapter()),
  session: { revocation: {}, devices: 'listed', assurance: 'kept' },
})

describe('next', () => {
  async function open() {
    const site = nextSite(settings())
    await site.signInGrace()
    return site
  }

  test('components list sessions; actions end them', async () => {
    const site = await open()
    const page = await site.render(() => site.sessions.list())
    expect(page?.sessions).toMatchObject([{ isCurrent: true }])
    expect(await site.action(() => site.sessions.revokeOthers())).toBe(0)
    expect(await site.action(() => site.sessions.revoke(page?.sessions[0]?.sid ?? ''))).toBe(true)
    expect(await site.render(() => site.sessions.list())).toBeNull()
  })

  test('requireAuth returns the session, then throws the error with the page to confirm', async () => {
    const site = await open()
    const { assurance } = await site.action(() => site.requireAuth({ maxAge: 900 }))
    expect(assurance).toMatchObject({ level: 1, via: 'credentials' })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 901_000 })
    const call = () => site.requireAuth({ maxAge: 900 })
    const script = { headers: { 'next-action': '7f' } }
    await expect(site.action(call, script)).rejects.toMatchObject({
      type: 'StepUpRequired',
      url: expect.stringContaining('/step-up'),
    })
    // To a route handler.
    const data = { headers: { accept: 'application/json', 'sec-fetch-dest': 'empty' } }
    await expect(site.action(call, data)).rejects.toMatchObject({ type: 'StepUpRequired' })
    // A form without a script, whose visitor sees only pages.
    expect(await thrownRedirectStatus(site.action(call))).toBe(303)
  })

  const late = () => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 901_000 })

  test('a page leads a navigation to the page to confirm, and back; a visitor to the sign-in page', async () => {
    const site = await open()
    const page = () => site.requireAuth({ maxAge: 900, redirectTo: '/billing' })
    expect((await site.render(page)).assurance.level).toBe(1)
    late()
    const target = new URL((await thrownRedirect(site.render(page))) ?? '')
    expect(target.pathname).toBe('/api/auth/step-up')
    expect(target.searchParams.get('callbackUrl')).toBe('/billing')
    const visitor = nextSite(settings())
    const toSignIn = await thrownRedirect(
      visitor.render(() => visitor.requireAuth({ redirectTo: '/billing' })),
    )
    expect(toSignIn).toBe(`${ORIGIN}/api/auth/signin?callbackUrl=%2Fbilling`)
  })

  test('a mistake in the requirement is an error, and no redirect', async () => {
    const site = await open()
    const call = site.render(() => site.requireAuth({ maxAge: -1 }))
    await expect(call).rejects.toThrow(/maxAge of requireAuth/)
  })

  test('outside a request, the errors say where to call them', async () => {
    const { sessions, requireAuth } = nextSite(settings())
    await expect(sessions.list()).rejects.toThrow(
      /sessions was called outside a server component.*lib-auth\/sessions/,
    )
    await expect(requireAuth()).rejects.toThrow(
      /requireAuth was called outside.*requireAuth\(req, config\) of lib-auth/,
    )
  })
})
