/** `sessions` and `requireAuth` of the wrappers: each calls the core with the request of its framework. */
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../src/adapters/memory.ts'
import type { AuthConfig } from '../../src/index.ts'
import { storeOf } from '../core/tokens/record-store.ts'
import { opener, signIn } from './conformance/site.ts'
import type { OpenSite, StartSite } from './conformance/site.ts'
import { nextSite, ORIGIN, thrownRedirect, thrownRedirectStatus } from './next/next-site.ts'
import { startExpress, startExpress4 } from './servers/express.ts'
import { startFastify } from './servers/fastify.ts'
import { startHono } from './servers/hono.ts'
import { startNode } from './servers/node.ts'

afterEach(() => void vi.useRealTimers())

const settings = (): Pick<AuthConfig, 'session' | 'store'> => ({
  store: storeOf(MemoryAdapter()),
  session: { revocation: {}, devices: 'listed', assurance: 'kept' },
})

interface Listed {
  readonly sessions: readonly { readonly sid: string; readonly isCurrent: boolean }[]
}

const SERVERS: Readonly<Record<string, StartSite>> = {
  'lib-auth/node': startNode,
  'lib-auth/express': startExpress,
  'lib-auth/express with Express 4': startExpress4,
  'lib-auth/fastify': startFastify,
  'lib-auth/hono': startHono,
}

describe.each(Object.entries(SERVERS))('%s', (_name, start) => {
  const open = opener(start)
  let site: OpenSite
  beforeAll(async () => {
    site = await open({ overrides: settings() })
  })

  async function signedIn(name: string) {
    const user = site.user()
    await signIn(user, name)
    const ask = async <T>(path: string, form?: Record<string, string>): Promise<T> => {
      const headers = { origin: site.origin }
      const answer = await user.send(path, form && { form, headers })
      return JSON.parse(answer.body) as T
    }
    return { user, ask }
  }

  test('a user lists their sessions, ends one, and ends the others', async () => {
    const laptop = await signedIn('grace')
    const phone = await signedIn('grace')
    const tablet = await signedIn('grace')
    const { sessions } = await laptop.ask<Listed>('/sessions')
    expect(sessions.map(({ isCurrent }) => isCurrent)).toEqual([false, false, true])
    expect(await laptop.ask(`/sessions?sid=${sessions[1]?.sid}`, {})).toBe(true)
    expect(await phone.ask('/sessions')).toBeNull()
    expect(await laptop.ask('/sessions', {})).toBe(1)
    expect(await tablet.ask('/sessions')).toBeNull()
    expect((await laptop.ask<Listed>('/sessions')).sessions).toHaveLength(1)
  })

  test('a page of another origin ends no session', async () => {
    const { user, ask } = await signedIn('lin')
    const other = await signedIn('lin')
    const headers = { origin: 'https://attacker.test', 'sec-fetch-site': 'cross-site' }
    const answer = await user.send('/sessions', { form: {}, headers })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect((await other.ask<Listed>('/sessions')).sessions).toHaveLength(2)
    expect((await ask<Listed>('/sessions')).sessions).toHaveLength(2)
  })

  test('requireAuth returns the session until the sign-in is too old', async () => {
    const { ask } = await signedIn('ada')
    expect(await ask('/assured')).toMatchObject({
      session: { user: { name: 'User ada' } },
      assurance: { level: 1, amr: ['pwd'], via: 'credentials' },
    })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 901_000 })
    expect(await ask('/assured')).toEqual({ type: 'StepUpRequired' })
  })

  test('a visitor has no sessions, and requireAuth requires one', async () => {
    const user = site.user()
    expect((await user.send('/sessions')).body).toBe('null')
    expect(JSON.parse((await user.send('/assured')).body)).toEqual({ type: 'SessionRequired' })
  })
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
