/** What an action changes is seen at once: by itself, by the page that is rendered in answer to it, and later. */
import { describe, expect, test, vi } from 'vitest'
import { nextSite, redirectOf, SESSION } from './next-site.ts'
import type { NextSite } from './next-site.ts'
import { op } from './site.ts'
import MemoryAdapter from '../../src/adapters/memory.ts'
import type { CallbacksOptions } from '../../src/index.ts'
import type { LibConfig } from '../../src/next/index.ts'

/** What the application knows about people, besides what the session holds. */
const ranks = new Map<unknown, string>()

const session = vi.fn<NonNullable<CallbacksOptions['session']>>(
  ({ session: exposed, trigger, newSession, token, user }) => {
    const who = token?.sub ?? user?.id
    if (trigger === 'update') ranks.set(who, String(newSession.rank))
    return Object.assign(exposed, { rank: ranks.get(who) })
  },
)

/** Ada signs in at her provider. */
async function signInAda(site: NextSite): Promise<void> {
  const url = await redirectOf(site.action(() => site.signIn('op', { redirectTo: '/page' })))
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

  // Covers: next.same-action
  test.each(['update', 'unstable_update'] as const)(
    '%s shows on the page that is rendered in answer to the action, and later',
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
      // Next renders the page anew because a cookie says that something has changed.
      expect(site.set.map((each) => each.split('=')[0])).toEqual([SESSION])
      expect(await site.render(() => site.auth())).toHaveProperty('rank', 'Countess')
    },
  )

  test('an update tells the session callback what is new, and why it is called', async () => {
    const site = await visit()
    await site.action(() => site.update({ rank: 'Countess' } as object))
    expect(session).toHaveBeenCalledTimes(1)
    const told = { trigger: 'update', newSession: { rank: 'Countess' } }
    expect(session).toHaveBeenCalledWith(expect.objectContaining(told))
  })

  // Covers: next.one-reading
  test('the page in answer to an action that only reads takes over what the action read', async () => {
    const site = await visit()
    const work = () => site.auth()
    expect(await site.actionAndPage(work, work)).toMatchObject({ user: { name: 'Ada Lovelace' } })
    expect(session).toHaveBeenCalledTimes(1)
  })

  // Covers: next.same-action
  test('nobody is signed in on the page in answer to signing out', async () => {
    const site = await visit()
    const page = await site.actionAndPage(
      () => site.signOut({ redirect: false }),
      () => site.auth(),
    )
    expect(page).toBeNull()
    expect(site.cookies.get(SESSION)).toBeUndefined()
  })
})

test('signing out ends the session for who has a copy of the cookie, too', async () => {
  const site = nextSite({ adapter: MemoryAdapter(), session: { strategy: 'database' } })
  await signInAda(site)
  const copy = site.cookies.get(SESSION)?.value ?? ''
  await site.action(() => site.signOut({ redirect: false }))
  site.cookies.set(SESSION, copy)
  expect(await site.render(() => site.auth())).toBeNull()
})

test('update returns null when the session has ended elsewhere, and the cookie goes', async () => {
  const adapter = MemoryAdapter()
  const site = nextSite({ adapter, session: { strategy: 'database' } })
  await signInAda(site)
  await adapter.deleteSession(decodeURIComponent(site.cookies.get(SESSION)?.value ?? ''))
  expect(await site.action(() => site.update({}))).toBeNull()
  expect(site.cookies.get(SESSION)).toBeUndefined()
})
