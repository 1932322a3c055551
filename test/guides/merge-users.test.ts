/** docs/guides/merge-users.md */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type MemoryAdapter from '../../src/adapters/memory.ts'
import { appendFacts } from '../../src/core/session/facts.ts'
import type { LibResult } from '../../src/frameworks/next/index.ts'
import { thrownRedirect } from '../frameworks/next/next-redirect.ts'
import { NextRequest, openSite } from '../frameworks/next/next-site.ts'
import { openGuide, stubGuideEnvironment } from './guide.ts'

interface Auth extends LibResult {
  readonly adapter: ReturnType<typeof MemoryAdapter>
}

const guide = openGuide('merge-users')

beforeAll(() => {
  stubGuideEnvironment()
  vi.stubEnv('AUTH_GOOGLE_ID', 'id')
  vi.stubEnv('AUTH_GOOGLE_SECRET', 'secret')
})
afterAll(() => void vi.unstubAllEnvs())

interface Action {
  readonly mergeAnotherAccount: () => Promise<void>
}

interface Orders {
  readonly orders: Map<string, string[]>
  readonly moveOrders: (from: string, into: string) => void
}

async function signedIn() {
  const auth = await guide.load<Auth>('auth.ts')
  const user = { id: 'ada', name: 'Ada', email: 'ada@example.com', emailVerified: null }
  const { id: userId } = await auth.adapter.createUser(user)
  const site = openSite(auth)
  const expires = new Date(Date.now() + 1e6)
  const facts = { startedAt: Date.now(), via: 'github', amr: ['fed'] }
  const terms = { idle: 1000, absolute: null, keep: true }
  const sessionToken = appendFacts('session-ada', { ...facts, ...terms })
  await auth.adapter.createSession({ userId, sessionToken, expires })
  site.cookies.set('__Host-lib.session-token', sessionToken)
  const { mergeAnotherAccount } = await guide.load<Action>('merge-action.ts')
  return { site, merge: () => thrownRedirect(site.action(mergeAnotherAccount)) }
}

test('the button leads to the page of the other user, and an old session to the page to confirm', async () => {
  const { site, merge } = await signedIn()
  const page = await merge()
  expect(page).toContain('/api/auth/step-up?stepUp=')
  const { GET } = site.handlers
  const html = async (url: string) => {
    const headers = {
      cookie: `__Host-lib.session-token=${site.cookies.get('__Host-lib.session-token')?.value}`,
    }
    return (await GET(new NextRequest(url, { headers }))).text()
  }
  expect(await html(page)).toContain('Sign in with the other account')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 961_000 })
  expect(await html(await merge())).toContain('Confirm that it is you')
  vi.useRealTimers()
})

test('the orders of both are those of the user who stays', async () => {
  const { orders, moveOrders } = await guide.load<Orders>('orders.ts')
  orders.set('from', ['a book']).set('into', ['a pen'])
  moveOrders('from', 'into')
  expect([...orders]).toEqual([['into', ['a pen', 'a book']]])
})
