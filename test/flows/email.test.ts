import { describe, expect, test } from 'vitest'
import type { AuthConfig } from '../../src/index.ts'
import { browser } from '../../src/testing/index.ts'
import {
  ADA,
  submitAddress,
  click,
  confirm,
  linkIn,
  locationOf,
  mailSite,
  requestLink,
  SENT,
  STRATEGIES,
  writes,
} from '../email.ts'
import { SESSION, claimsOf } from '../sessions.ts'

type HookParams = Record<string, unknown>

/** Callbacks and events that record their calls. */
function recordingHooks(): {
  hookCalls: [string, HookParams][]
  callbacks: NonNullable<AuthConfig['callbacks']>
  events: NonNullable<AuthConfig['events']>
} {
  const hookCalls: [string, HookParams][] = []
  const note = (name: string, message: object) =>
    void hookCalls.push([name, structuredClone({ ...message })])
  return {
    hookCalls,
    callbacks: {
      signIn(params) {
        note('callbacks.signIn', params)
        return true
      },
      jwt(params) {
        if (params.trigger) note('jwt', params)
        return params.token
      },
    },
    events: {
      createUser: (message) => note('createUser', message),
      updateUser: (message) => note('updateUser', message),
      linkAccount: (message) => note('linkAccount', message),
      signIn: (message) => note('signIn', message),
    },
  }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

describe.each(STRATEGIES)('with %s sessions', (strategy) => {
  const session = { strategy }

  test('a new user requests a magic link, follows it and is signed in', async () => {
    const { hookCalls, callbacks, events } = recordingHooks()
    const site = mailSite({ session, callbacks, events })
    const tab = browser(site.config)
    const asked = await submitAddress(tab, ADA, { callbackUrl: '/board?a=b' })
    expect([asked.status, locationOf(asked)]).toEqual([302, SENT])
    expect(await tab.session()).toBeNull()
    const answer = await click(tab, linkIn(site.mails))
    expect([answer.status, locationOf(answer)]).toEqual([302, 'https://app.test/board?a=b'])
    expect(await tab.session()).toMatchObject({ user: { email: ADA } })

    const user = await site.adapter.getUserByEmail(ADA)
    expect(user).toEqual({ id: expect.any(String), email: ADA, emailVerified: expect.any(Date) })
    const newUser = { id: expect.stringMatching(UUID), email: ADA, emailVerified: null }
    const account = { providerAccountId: ADA, type: 'email', provider: 'email' }
    const stored = { ...account, userId: user?.id }
    const facts = { user, account: stored, isNewUser: true }
    expect(hookCalls).toEqual([
      ['callbacks.signIn', { user: newUser, account, email: { verificationRequest: true } }],
      ['callbacks.signIn', { user: newUser, account }],
      ['createUser', { user }],
      ...(strategy === 'jwt'
        ? [
            [
              'jwt',
              { ...facts, trigger: 'signUp', token: expect.objectContaining({ sub: user?.id }) },
            ],
          ]
        : []),
      ['signIn', facts],
    ])
    expect(await site.adapter.listAccounts(user?.id ?? '')).toEqual([])
    expect(writes(site)).not.toContain('linkAccount')
  })

  test('an existing user is distinguished from a new one', async () => {
    const { hookCalls, callbacks, events } = recordingHooks()
    const site = mailSite({ session, callbacks, events, pages: { newUser: '/welcome' } })
    const existing = await site.adapter.createUser({
      id: 'x',
      name: 'Ada Lovelace',
      email: ADA,
      emailVerified: new Date('2020-01-01'),
    })
    const tab = browser(site.config)
    const answer = await click(tab, await requestLink(tab, site))
    expect(locationOf(answer)).toBe('https://app.test')
    expect(await tab.session()).toMatchObject({ user: { name: 'Ada Lovelace', email: ADA } })
    const user = await site.adapter.getUser(existing.id)
    expect(user?.emailVerified?.getTime()).toBeGreaterThan(Date.now() - 10_000)
    const account = {
      providerAccountId: ADA,
      type: 'email',
      provider: 'email',
      userId: existing.id,
    }
    expect(hookCalls.filter(([name]) => name !== 'jwt')).toEqual([
      ['callbacks.signIn', { user: existing, account, email: { verificationRequest: true } }],
      ['callbacks.signIn', { user: existing, account }],
      ['updateUser', { user }],
      ['signIn', { user, account, isNewUser: false }],
    ])
    expect(hookCalls.filter(([name]) => name === 'jwt').map(([, { trigger }]) => trigger)).toEqual(
      strategy === 'jwt' ? ['signIn'] : [],
    )
    expect(writes(site)).not.toContain('createUser')
  })

  test('a new user is redirected to pages.newUser with the callbackUrl', async () => {
    const site = mailSite({ session, pages: { newUser: '/welcome?x=1' } })
    const tab = browser(site.config)
    await submitAddress(tab, ADA, { callbackUrl: '/board' })
    const link = linkIn(site.mails)
    expect(locationOf(await click(tab, link))).toBe(
      `https://app.test/welcome?x=1&callbackUrl=${encodeURIComponent('https://app.test/board')}`,
    )
    const again = await click(tab, await requestLink(tab, site))
    expect(locationOf(again)).toBe('https://app.test/board')
  })

  test('the session of another user in this browser is replaced', async () => {
    const site = mailSite({ session })
    const tab = browser(site.config)
    await click(tab, await requestLink(tab, site, 'bob@example.com'))
    const before = tab.cookies.get(SESSION)?.value
    await click(tab, await requestLink(tab, site))
    expect(await tab.session()).toMatchObject({ user: { email: ADA } })
    expect(tab.cookies.get(SESSION)?.value).not.toBe(before)
    const bob = await site.adapter.getUserByEmail('bob@example.com')
    expect(await site.adapter.listSessions(bob?.id ?? '')).toEqual([])
    const ada = await site.adapter.getUserByEmail(ADA)
    expect(await site.adapter.listSessions(ada?.id ?? '')).toHaveLength(
      strategy === 'database' ? 1 : 0,
    )
  })

  test('a link opened in another browser signs in there after a confirmation', async () => {
    const site = mailSite({ session })
    const [tab, phone] = [browser(site.config), browser(site.config)]
    await submitAddress(tab, ADA, { callbackUrl: '/board' })
    const page = await click(phone, linkIn(site.mails))
    expect(await phone.session()).toBeNull()
    const answer = await confirm(phone, page)
    expect([answer.status, locationOf(answer)]).toEqual([302, 'https://app.test/board'])
    expect(await phone.session()).toMatchObject({ user: { email: ADA } })
    expect(await tab.session()).toBeNull()
  })
})

test('the session token belongs to the stored user', async () => {
  const site = mailSite({ session: { strategy: 'jwt' } })
  const tab = browser(site.config)
  await click(tab, await requestLink(tab, site))
  const user = await site.adapter.getUserByEmail(ADA)
  expect(await claimsOf(tab)).toMatchObject({ sub: user?.id, email: ADA })
})
