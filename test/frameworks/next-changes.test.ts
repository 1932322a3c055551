/** A session changed by an action, as seen by that action, by the page rendered in response, and by later requests. */
import { describe, expect, test, vi } from 'vitest'
import { nextSite, thrownRedirect, SESSION } from './next/next-site.ts'
import type { NextSite } from './next/next-site.ts'
import { op } from './site.ts'
import MemoryAdapter from '../../src/adapters/memory.ts'
import type { CallbacksOptions } from '../../src/index.ts'
import type { LibConfig } from '../../src/frameworks/next/index.ts'

/** User data of the application that is not in the session. */
const ranks = new Map<unknown, string>()

const session = vi.fn<NonNullable<CallbacksOptions['session']>>(
  ({ session: exposed, trigger, newSession, token, user }) => {
    const who = token?.sub ?? user?.id
    if (trigger === 'update') ranks.set(who, String(newSession.rank))
    return Object.assign(exposed, { rank: ranks.get(who) })
  },
)

/** Signs Ada in with the OpenID provider. */
async function signInAda(site: NextSite): Promise<void> {
  const url = await thrownRedirect(site.action(() => site.signIn('op', { redirectTo: '/page' })))
  const { url: back } = await op.authorize(url)
  const response = await site.route(site.handlers.GET, back)
  expect(response.headers.get('location')).toContain('/page')
}

describe.each<[string, () => Partial<LibConfig>]>([
  ['tokens', () => ({})],
  ['a database', () => ({ adapter: MemoryAdapter(), session: { strategy: 'database' } })],
])('with sessions in %s', (_where, overrides) => {
  async function visit(): Promise<NextSite> {
    const site = nextSite({ ...overrides(), callbacks: { session } })
    await signInAda(site)
    ranks.clear()
    session.mockClear()
    return site
  }

  test.each(['update', 'unstable_update'] as const)(
    '%s changes the session of the page rendered by the action and of later pages',
    async (name) => {
      const site = await visit()
      const page = await site.actionAndPage(
        async () => {
          expect(await site.auth()).not.toHaveProperty('rank', 'Countess')
          const changed = await site[name]({ rank: 'Countess' } as object)
          expect(changed).toHaveProperty('rank', 'Countess')
        },
        () => site.auth(),
      )
      expect(page).toHaveProperty('rank', 'Countess')
      // Next renders the page again because of a changed cookie.
      expect(site.set.map((each) => each.split('=')[0])).toEqual([SESSION])
      expect(await site.render(() => site.auth())).toHaveProperty('rank', 'Countess')
    },
  )

  test('an update passes newSession and trigger to the session callback', async () => {
    const site = await visit()
    await site.action(() => site.update({ rank: 'Countess' } as object))
    expect(session).toHaveBeenCalledTimes(1)
    const params = { trigger: 'update', newSession: { rank: 'Countess' } }
    expect(session).toHaveBeenCalledWith(expect.objectContaining(params))
  })

  test('the page rendered by an action reuses the session that the action read', async () => {
    const site = await visit()
    const work = () => site.auth()
    expect(await site.actionAndPage(work, work)).toMatchObject({ user: { name: 'Ada Lovelace' } })
    expect(session).toHaveBeenCalledTimes(1)
  })

  test('the page rendered after signOut is unauthenticated', async () => {
    const site = await visit()
    const page = await site.actionAndPage(
      () => site.signOut({ redirect: false }),
      () => site.auth(),
    )
    expect(page).toBeNull()
    expect(site.cookies.get(SESSION)).toBeUndefined()
  })
})

test('signOut revokes copies of the session cookie', async () => {
  const site = nextSite({ adapter: MemoryAdapter(), session: { strategy: 'database' } })
  await signInAda(site)
  const copy = site.cookies.get(SESSION)?.value ?? ''
  await site.action(() => site.signOut({ redirect: false }))
  site.cookies.set(SESSION, copy)
  expect(await site.render(() => site.auth())).toBeNull()
})

test('update returns null and deletes the cookie when the session has ended elsewhere', async () => {
  const adapter = MemoryAdapter()
  const site = nextSite({ adapter, session: { strategy: 'database' } })
  await signInAda(site)
  await adapter.deleteSession(decodeURIComponent(site.cookies.get(SESSION)?.value ?? ''))
  expect(await site.action(() => site.update({}))).toBeNull()
  expect(site.cookies.get(SESSION)).toBeUndefined()
})

test('a route handler that extends a session in a database never lets shared caches store its response', async () => {
  const always = { strategy: 'database', updateAge: 0 } as const
  const site = nextSite({ adapter: MemoryAdapter(), session: always })
  await signInAda(site)
  const headers = { 'cache-control': 'public, s-maxage=60' }
  const handler = site.auth(() => new Response('ok', { headers }))
  const response = await site.route(handler, '/api/me')
  expect(response.headers.get('cache-control')).toBe('private, no-store')
})
