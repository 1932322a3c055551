import { describe, expect, test } from 'vitest'
import type { Adapter } from '../../src/adapters/index.ts'
import MemoryAdapter from '../../src/adapters/memory.ts'
import { browser } from '../../src/testing/index.ts'
import {
  ADA,
  submitAddress,
  click,
  confirm,
  countOf,
  FAILED,
  followLink,
  locationOf,
  mailSite,
  requestLink,
  STRATEGIES,
  writes,
} from '../email.ts'
import { SESSION } from '../sessions.ts'

const down = () => Promise.reject(new Error('The database is down.'))

describe('a link that cannot be stored', () => {
  test.each<[string, () => unknown]>([
    ['rejects', down],
    [
      'throws at once',
      () => {
        throw new Error('The database is down.')
      },
    ],
  ])('is not sent: the adapter %s', async (_name, createVerificationToken) => {
    const site = mailSite({}, { methods: { createVerificationToken } })
    const tab = browser(site.config)
    const answer = await submitAddress(tab)
    expect([answer.status, locationOf(answer)]).toEqual([302, FAILED])
    expect(site.mails).toEqual([])
    expect(site.log.errors).toMatchObject([{ type: 'AdapterError' }])
    expect(tab.cookies.all().filter(({ name }) => name.includes('lib.state.'))).toEqual([])
  })

  test('is not generated if the user lookup fails', async () => {
    const site = mailSite({}, { methods: { getUserByEmail: down } })
    const answer = await submitAddress(browser(site.config))
    expect(locationOf(answer)).toBe(FAILED)
    expect([site.mails, writes(site)]).toEqual([[], []])
  })
})

describe.each(STRATEGIES)(
  'a database that fails after a link was used, with %s sessions',
  (strategy) => {
    const session = { strategy }

    /** The user with the address before: none, unverified, or verified. */
    const users = {
      'a new user': undefined,
      'an unverified user': null,
      'a verified user': new Date('2020-01-01'),
    }

    const steps: (readonly [keyof Adapter, keyof typeof users])[] = [
      ['getUserByEmail', 'a new user'],
      ['deleteVerificationTokens', 'a new user'],
      ['createUser', 'a new user'],
      ['deleteVerificationTokens', 'a verified user'],
      ['updateUser', 'a verified user'],
      ['listAccounts', 'an unverified user'],
      ['unlinkAccount', 'an unverified user'],
      ['updateUser', 'an unverified user'],
      ...(strategy === 'database'
        ? ([
            ['deleteUserSessions', 'an unverified user'],
            ['createSession', 'a new user'],
            ['createSession', 'a verified user'],
          ] as const)
        : []),
    ]

    const places = ['in the requesting browser', 'in another browser']
    const cases = steps.flatMap(([method, who]) =>
      places.map((place) => [method, who, place] as const),
    )

    test.each(cases)(
      'keeps the link valid and creates no session: %s, %s, %s',
      async (method, who, place) => {
        const healthy = mailSite({ session })
        const { adapter } = healthy
        const emailVerified = users[who]
        if (emailVerified !== undefined) {
          const user = await adapter.createUser({ id: 'x', email: ADA, emailVerified })
          const account = {
            provider: 'op',
            providerAccountId: '1',
            type: 'oidc',
            userId: user.id,
          } as const
          await adapter.linkAccount(account)
        }
        const requester = browser(healthy.config)
        const link = await requestLink(requester, healthy)
        const before = await adapter.getUserByEmail(ADA)

        const site = mailSite({ session }, { adapter, methods: { [method]: down } })
        const tab = browser(site.config)
        if (place === 'in the requesting browser')
          for (const { name, value } of requester.cookies.all()) tab.cookies.set(name, value)
        const failed = await followLink(tab, link)
        expect([failed.status, locationOf(failed)]).toEqual([302, FAILED])
        expect(countOf(site, method)).toBeGreaterThan(0)
        expect(tab.cookies.get(SESSION)).toBeUndefined()
        if (method !== 'createSession') expect(await adapter.getUserByEmail(ADA)).toEqual(before)
        expect(site.log.errors[0]).toMatchObject({ type: 'AdapterError' })

        // After the outage, the same link is accepted.
        const again = browser(healthy.config)
        for (const { name, value } of tab.cookies.all()) again.cookies.set(name, value)
        const response = await click(again, link)
        expect(response.status).toBe(place === 'in another browser' ? 200 : 302)
        const answer = place === 'in another browser' ? await confirm(again, response) : response
        expect(locationOf(answer)).toBe('https://app.test')
        expect(await again.session()).toMatchObject({ user: { email: ADA } })
        const user = await adapter.getUserByEmail(ADA)
        expect(await adapter.listSessions(user?.id ?? '')).toHaveLength(
          strategy === 'database' ? 1 : 0,
        )
      },
    )
  },
)

test('rejects a link if the database does not confirm its use', async () => {
  const site = mailSite({}, { methods: { useVerificationToken: down } })
  const tab = browser(site.config)
  const link = await requestLink(tab, site)
  expect(locationOf(await click(tab, link))).toBe(FAILED)
  // Whether the link existed is unknown, so it is not restored.
  expect(countOf(site, 'createVerificationToken')).toBe(1)
  expect(countOf(site, 'createSession')).toBe(0)
})

test('a callback that rejects the session leaves the link valid', async () => {
  let isBroken = true
  const site = mailSite({
    session: { strategy: 'jwt' },
    callbacks: {
      jwt({ token }) {
        if (isBroken) throw new Error('The jwt callback is broken.')
        return token
      },
    },
  })
  const tab = browser(site.config)
  const link = await requestLink(tab, site)
  const failed = await click(tab, link)
  expect(locationOf(failed)).toMatch('https://app.test/auth/error?error=')
  expect(tab.cookies.get(SESSION)).toBeUndefined()
  isBroken = false
  expect(locationOf(await click(tab, link))).toBe('https://app.test')
})

test('rejects a link if the adapter returns an invalid row', async () => {
  const garbage: unknown[] = [
    true,
    'x',
    42,
    [],
    {},
    { identifier: ADA },
    { expires: new Date(9e12) },
  ]
  garbage.push({ identifier: ADA, token: 'x', expires: 'never' })
  garbage.push({ identifier: [ADA], token: 'x', expires: new Date(9e12) })
  for (const row of garbage) {
    const site = mailSite({}, { methods: { useVerificationToken: () => row } })
    const tab = browser(site.config)
    const answer = await click(tab, await requestLink(tab, site))
    expect(locationOf(answer)).toMatch('https://app.test/auth/error?error=')
    expect(countOf(site, 'createSession')).toBe(0)
  }
})

test('accepts the expiry of a link as string or number', async () => {
  for (const expires of [new Date(9e12).toISOString(), 9e12]) {
    const useVerificationToken = (key: object) => ({ ...key, expires })
    const site = mailSite({}, { methods: { useVerificationToken } })
    const tab = browser(site.config)
    expect(locationOf(await click(tab, await requestLink(tab, site)))).toBe('https://app.test')
  }
})

/** A lazy query, as query builders return it: each `then` runs it again. */
class Query<T> implements PromiseLike<T> {
  readonly #begin: () => PromiseLike<T>

  constructor(begin: () => PromiseLike<T>) {
    this.#begin = begin
  }

  // oxlint-disable-next-line unicorn/no-thenable
  then<Kept = T, Lost = never>(
    onKept?: ((value: T) => Kept | PromiseLike<Kept>) | null,
    onLost?: ((reason: unknown) => Lost | PromiseLike<Lost>) | null,
  ): PromiseLike<Kept | Lost> {
    return this.#begin().then(onKept, onLost)
  }
}

test('a lazy query redeems a link once', async () => {
  const adapter = MemoryAdapter()
  const slowly = async () => {
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  const useVerificationToken = (key: { identifier: string; token: string }) =>
    new Query(() => slowly().then(() => adapter.useVerificationToken(key)))
  const site = mailSite({}, { adapter, methods: { useVerificationToken } })
  const tab = browser(site.config)
  await followLink(tab, await requestLink(tab, site))
  expect(await tab.session()).toMatchObject({ user: { email: ADA } })
})
