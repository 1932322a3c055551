/** Outages, lost responses, clocks that are set, and what users do during a refresh. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { down, lost } from '../../database.ts'
import { dump, forEachPlace } from './places.ts'
import { changeProcess, pass, TOKEN, unluckySite } from './site.ts'
import type { UnluckySite } from './site.ts'

afterEach(() => vi.useRealTimers())

const READS = ['listAccounts', 'readRecords'] as const
const WRITES = ['updateAccount', 'writeRecord'] as const
const UNAVAILABLE = { type: 'AccessTokenUnavailable' }

function fail({ faults }: UnluckySite, methods: readonly (typeof READS | typeof WRITES)[number][]) {
  for (const method of methods) faults[method] = down
}

function recover({ faults }: UnluckySite): void {
  for (const method of [...READS, ...WRITES]) delete faults[method]
}

await forEachPlace((place) => {
  const open = (
    ...options: Parameters<typeof unluckySite> extends [unknown, ...infer R] ? R : never
  ) => unluckySite(place, ...options)

  // With tokens in cookies, nothing is stored here.
  if (place.where !== 'cookie')
    describe('outages of the database', () => {
      test('the database is down before the refresh: nothing is sent', async () => {
        const site = await open()
        for (const methods of [READS, WRITES]) {
          fail(site, methods)
          pass(600)
          await expect(site.read()).rejects.toMatchObject(UNAVAILABLE)
          if (methods === READS) expect(site.sent).toEqual([])
          recover(site)
          pass(31)
        }
        expect((await site.read()).accessToken).toMatch(TOKEN)
        expect(new Set(site.sent).size).toBe(site.sent.length)
      })

      test('the database is down after the refresh: the tokens are stored later', async () => {
        const site = await open()
        pass(600)
        site.onRefresh = (response) => {
          fail(site, [...READS, ...WRITES])
          return response
        }
        const first = await site.read()
        expect(first.accessToken).toMatch(TOKEN)
        recover(site)
        // The process has the only copy, for longer than `grace`.
        pass(120)
        expect(await site.read()).toEqual(first)
        site.onRefresh = (response) => response
        pass(600)
        expect((await site.read()).accessToken).not.toBe(first.accessToken)
        expect(site.sent).toHaveLength(2)
        expect(new Set(site.sent).size).toBe(2)
      })

      test('the database stays down until the token expires: the old one is not sent again', async () => {
        const site = await open()
        pass(600)
        site.onRefresh = (response) => {
          fail(site, WRITES)
          return response
        }
        await site.read()
        pass(700)
        await expect(site.read()).rejects.toMatchObject(UNAVAILABLE)
        recover(site)
        site.onRefresh = (response) => response
        expect((await site.read()).accessToken).toMatch(TOKEN)
        expect(new Set(site.sent).size).toBe(site.sent.length)
      })

      test('the response of the database to the write is lost: it is repeated', async () => {
        const site = await open()
        pass(600)
        site.onRefresh = (response) => {
          site.faults.updateAccount = lost
          site.faults.writeRecord = lost
          return response
        }
        const token = await site.read()
        recover(site)
        expect(await site.read()).toEqual(token)
        expect(site.sent).toHaveLength(1)
      })
    })

  test('the response to a rotated token is lost: the user has to connect again, once', async () => {
    const site = await open({ onLostGrant: 'keep' })
    pass(600)
    site.onRefresh = () => Promise.reject(new TypeError('terminated'))
    await expect(site.read()).rejects.toMatchObject({ type: 'AccessTokenUnavailable' })
    await expect(site.read()).rejects.toMatchObject({ type: 'AccessTokenUnavailable' })
    expect(site.sent).toHaveLength(1)
    site.onRefresh = (response) => response
    pass(31)
    if (place.where === 'cookie') {
      await expect(site.read()).rejects.toMatchObject({ type: 'AccessTokenUnavailable' })
      pass(61)
    }
    await expect(site.read()).rejects.toMatchObject({ code: 'reconnect' })
    expect(site.sent).toHaveLength(2)
    await site.tab.signIn('op')
    expect((await site.read()).accessToken).toMatch(TOKEN)
  })

  test('the clock is set back: no pause lasts longer than it should', async () => {
    const site = await open()
    pass(600)
    site.onRefresh = () => new Response('Down', { status: 503, headers: { 'retry-after': '60' } })
    await expect(site.read()).rejects.toMatchObject(UNAVAILABLE)
    site.onRefresh = (response) => response
    pass(-3600)
    // Also a lease of before must not be in the way.
    await site.read({ refresh: 'now' }).catch(() => undefined)
    pass(3600 + 61)
    await site.read().catch(() => undefined)
    expect(site.sent.length).toBeGreaterThan(1)
  })

  test.each<[string, (site: UnluckySite) => void]>([
    [
      'its keys cannot be read',
      ({ op }) => (op.misbehaviour.jwks = () => new Response('Down', { status: 503 })),
    ],
    ['its key is not in the set', ({ op }) => (op.misbehaviour.jwks = () => ({ keys: [{}] }))],
    [
      'the clock is wrong',
      (site) =>
        (site.onRefresh = (response) => {
          pass(3000)
          return response
        }),
    ],
  ])(
    'an ID token that cannot be verified is left out, and no refresh token is lost (%s)',
    async (_what, disturb) => {
      const site = await open()
      // The keys of the sign-in are no longer cached.
      pass(25 * 60 * 60)
      await site.op.rotateKeys()
      const before = await site.tab.session()
      disturb(site)
      const first = await site.read().catch(() => undefined)
      site.onRefresh = (response) => response
      delete site.op.misbehaviour.jwks
      changeProcess()
      pass(601)
      expect((await site.read()).accessToken).not.toBe(first?.accessToken)
      expect(before).not.toBeNull()
      expect(new Set(site.sent).size).toBe(site.sent.length)
    },
  )

  test('the clock is set forwards during a refresh: it is sent once', async () => {
    const site = await open()
    pass(600)
    site.onRefresh = (response) => {
      // Longer than the lease and `grace`.
      pass(120)
      return response
    }
    // The time of a request may be over.
    await Promise.allSettled([site.read(), site.read(), site.read()])
    site.onRefresh = (response) => response
    expect((await site.read()).accessToken).toMatch(TOKEN)
    expect(new Set(site.sent).size).toBe(site.sent.length)
  })

  describe('during a refresh', () => {
    /** Runs `act` after the provider has refreshed, before its response arrives. */
    async function during(site: UnluckySite, act: () => Promise<unknown>): Promise<unknown> {
      pass(600)
      site.onRefresh = async (response) => {
        site.onRefresh = (each) => each
        await act()
        return response
      }
      return site.read().catch((error: unknown) => error)
    }

    test('the user signs out: nothing is written back', async () => {
      const site = await open()
      await during(site, () => site.tab.post('signout'))
      expect(await site.tab.session()).toBeNull()
      await expect(site.read()).rejects.toMatchObject({ code: 'not_signed_in' })
      if (place.where === 'store') expect(await dump(site.adapter)).not.toContain('"tokens:')
      // What a late response has set belongs to the ended session.
      await site.tab.signIn('op', { sub: 'bob', name: 'Bob', email: 'bob@example.com' })
      const own = await site.read()
      expect(own.idToken).not.toBeNull()
      const [, claims = ''] = own.idToken?.split('.') ?? []
      expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ sub: 'bob' })
    })

    test('the user is deleted: nothing is created', async () => {
      const site = await open()
      const user = await site.adapter.getUserByEmail?.('ada@example.com')
      if (!user) return
      await during(site, async () => site.adapter.deleteUser?.(user.id))
      expect(await site.adapter.getUserByEmail?.('ada@example.com')).toBeNull()
      expect(await site.adapter.listAccounts?.(user.id)).toEqual([])
      expect(await site.adapter.getAccount?.('ada', 'op')).toBeNull()
    })

    test('the account is unlinked: nothing is created', async () => {
      const site = await open()
      await during(site, async () => {
        await site.adapter.unlinkAccount?.({ provider: 'op', providerAccountId: 'ada' })
      })
      expect((await site.adapter.getAccount?.('ada', 'op')) ?? null).toBeNull()
      if (place.where === 'account')
        await expect(site.read()).rejects.toMatchObject({ code: 'not_connected' })
    })
  })
})
