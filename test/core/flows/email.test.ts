import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Adapter } from '../../../src/adapters/index.ts'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type { EmailConfig } from '../../../src/core/config/email.ts'
import { CredentialsSignin } from '../../../src/errors.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { browser } from '../../../src/testing/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { SECRET } from '../../config.ts'
import {
  ADA,
  CALLBACK,
  click,
  confirm,
  countOf,
  FAILED,
  followLink,
  linkIn,
  locationOf,
  mailSite,
  requestLink,
  SENT,
  SPENT,
  STRATEGIES,
  submitAddress,
  writes,
} from '../../email.ts'
import { claimsOf, cookiesSetBy, DAY, pass, SESSION, stopClock, until } from '../../sessions.ts'

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

  test('a new user whose address an event handler changes is signed in', async () => {
    const events: AuthConfig['events'] = {
      createUser: ({ user: { id = '' } }) =>
        void site.adapter.updateUser({ id, email: 'ada@example.org' }),
    }
    const site = mailSite({ session, events })
    const tab = browser(site.config)
    expect(locationOf(await click(tab, await requestLink(tab, site)))).toBe('https://app.test')
    expect(await tab.session()).not.toBeNull()
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

describe('the link', () => {
  test('contains callbackUrl, token and address, in this order', async () => {
    const site = mailSite()
    const tab = browser(site.config)
    await submitAddress(tab, ' Ada@Example.COM ', { callbackUrl: '/a?b=c' })
    const [mail] = site.mails
    expect(mail?.identifier).toBe(ADA)
    expect(mail?.token).toMatch(/^[0-9a-f]{64}$/)
    expect(mail?.url).toBe(
      `${CALLBACK}?callbackUrl=${encodeURIComponent('https://app.test/a?b=c')}&token=${mail?.token}&email=ada%40example.com`,
    )
  })

  test('starts with the base path and contains the provider id', async () => {
    const site = mailSite({ basePath: '/api/auth' }, { provider: { id: 'magic' } })
    const tab = browser(site.config, { basePath: '/api/auth' })
    const asked = await tab.post('signin/magic', { email: ADA })
    expect(locationOf(asked)).toBe(
      'https://app.test/api/auth/verify-request?provider=magic&type=email',
    )
    expect(linkIn(site.mails)).toMatch('https://app.test/api/auth/callback/magic?callbackUrl=')
    expect(locationOf(await click(tab, linkIn(site.mails)))).toBe('https://app.test')
    expect(await tab.session()).not.toBeNull()
  })

  test('is passed to sendVerificationRequest with the request', async () => {
    const theme = { brandColor: '#123456' }
    const site = mailSite(
      { theme },
      { provider: { from: 'site@app.test', options: { name: 'Links' } } },
    )
    const tab = browser(site.config, { headers: { 'accept-language': 'de' } })
    await submitAddress(tab, ADA, { language: 'de' })
    const [mail] = site.mails
    expect(Object.keys(mail ?? {}).sort()).toEqual([
      'expires',
      'fetch',
      'identifier',
      'provider',
      'request',
      'theme',
      'token',
      'url',
    ])
    expect(mail?.provider).toMatchObject({ id: 'email', name: 'Links', from: 'site@app.test' })
    expect(mail?.theme).toEqual(theme)
    expect(mail?.request.url).toBe('https://app.test/auth/signin/email')
    expect(mail?.request.headers.get('accept-language')).toBe('de')
    const form = new URLSearchParams(await mail?.request.text())
    expect([form.get('email'), form.get('language')]).toEqual([ADA, 'de'])
  })

  test('can be requested with JSON, whose other members are ignored', async () => {
    const site = mailSite()
    const tab = browser(site.config)
    const odd = { toString: 1, valueOf: [] }
    const json = { csrfToken: await tab.csrfToken(), email: ADA, odd }
    const answer = await tab.request('signin/email', { method: 'POST', json })
    expect([answer.status, locationOf(answer)]).toEqual([302, SENT])
    expect(await site.mails[0]?.request.json()).toEqual(json)
  })

  test('is confirmed to clients that cannot follow redirects', async () => {
    const site = mailSite()
    const tab = browser(site.config, { headers: { 'x-auth-return-redirect': '1' } })
    const asked = await submitAddress(tab)
    expect([asked.status, await asked.json()]).toEqual([200, { url: SENT }])
    const answer = await tab.request(linkIn(site.mails))
    expect([answer.status, await answer.json()]).toEqual([200, { url: 'https://app.test' }])
    expect(await tab.session()).not.toBeNull()
    const again = await followLink(browser(site.config), linkIn(site.mails))
    expect(locationOf(again)).toBe(SPENT)
  })

  describe('is valid for', () => {
    beforeEach(stopClock)
    afterEach(() => void vi.useRealTimers())

    test.each([
      ['a day', {}, DAY],
      ['maxAge of the provider', { maxAge: 600 }, 600],
    ])('%s', async (_name, provider, lifetime) => {
      const site = mailSite({}, { provider })
      const [tab, phone] = [browser(site.config), browser(site.config)]
      const early = await requestLink(tab, site)
      expect(site.mails[0]?.expires).toEqual(new Date(Date.now() + lifetime * 1000))
      await pass(lifetime - 1)
      expect(locationOf(await click(tab, early))).toBe('https://app.test')
      const late = await requestLink(tab, site)
      await pass(lifetime)
      expect(locationOf(await followLink(tab, late))).toBe(SPENT)
      expect(locationOf(await followLink(phone, late))).toBe(SPENT)
      expect(await phone.session()).toBeNull()
    })
  })
})

describe('in the browser that requested the link', () => {
  test('links of two tabs are independent', async () => {
    const site = mailSite({}, { methods: { deleteVerificationTokens: undefined } })
    const tab = browser(site.config)
    const first = await requestLink(tab, site)
    const second = await requestLink(tab, site, 'bob@example.com')
    expect(locationOf(await click(tab, first))).toBe('https://app.test')
    expect(await tab.session()).toMatchObject({ user: { email: ADA } })
    expect(locationOf(await click(tab, second))).toBe('https://app.test')
    expect(await tab.session()).toMatchObject({ user: { email: 'bob@example.com' } })
  })

  test('a redeemed link leaves no cookie', async () => {
    const site = mailSite()
    const tab = browser(site.config)
    const link = await requestLink(tab, site)
    const held = tab.cookies.all().filter(({ name }) => name.includes('lib.state.'))
    expect(held).toHaveLength(1)
    expect(cookiesSetBy(await click(tab, link))).toContain(`-${held[0]?.name}`)
    expect(tab.cookies.all().filter(({ name }) => name.includes('lib.state.'))).toEqual([])
  })

  test('a sign-in with a provider can be pending at the same time', async () => {
    const site = mailSite()
    const tab = browser(site.config)
    const links: string[] = []
    for (let at = 0; at < 6; at++) links.push(await requestLink(tab, site, `user${at}@example.com`))
    expect(tab.cookies.all().filter(({ name }) => name.includes('lib.state.'))).toHaveLength(5)
    // The oldest link needs a confirmation, as in another browser.
    expect((await click(tab, links[0] ?? '')).status).toBe(200)
    expect((await click(tab, links[1] ?? '')).status).toBe(302)
  })

  test('a link whose sign-in was rejected does not replace the others', async () => {
    let isRefused = true
    const signIn = ({ email }: { email?: unknown }) => email !== undefined || !isRefused
    const site = mailSite({ callbacks: { signIn } })
    const tab = browser(site.config)
    const links: string[] = []
    for (let at = 0; at < 5; at++) links.push(await requestLink(tab, site, `user${at}@example.com`))
    expect(locationOf(await click(tab, links[4] ?? ''))).toContain('error=AccessDenied')
    isRefused = false
    for (const link of links) expect(locationOf(await click(tab, link))).toBe('https://app.test')
  })
})

describe('secrets', () => {
  test('can be rotated while a link is valid', async () => {
    const old = mailSite({ secret: SECRET })
    const tab = browser(old.config)
    const link = await requestLink(tab, old)
    const other = await requestLink(tab, old, 'bob@example.com')
    const secret = [`new ${SECRET}`, SECRET]
    const site = mailSite({ secret }, { adapter: old.adapter })
    const moved = browser(site.config)
    for (const { name, value } of tab.cookies.all()) moved.cookies.set(name, value)
    expect(locationOf(await click(moved, link))).toBe('https://app.test')
    expect(locationOf(await followLink(browser(site.config), other))).toBe('https://app.test')
  })

  test('that were removed do not validate a link', async () => {
    const old = mailSite({ secret: SECRET })
    const link = await requestLink(browser(old.config), old)
    const site = mailSite({ secret: `new ${SECRET}` }, { adapter: old.adapter })
    expect(locationOf(await followLink(browser(site.config), link))).toBe(SPENT)
    // The link is still stored.
    expect(locationOf(await followLink(browser(old.config), link))).toBe('https://app.test')
  })

  test('of a provider hash its links, unless empty', async () => {
    const provider = { secret: 'a secret of the provider, long enough for it' }
    const own = mailSite({}, { provider })
    const link = await requestLink(browser(own.config), own)
    const { adapter } = own
    const plain = mailSite({}, { adapter })
    expect(locationOf(await followLink(browser(plain.config), link))).toBe(SPENT)
    const other = mailSite({ secret: `new ${SECRET}` }, { adapter, provider })
    expect(locationOf(await followLink(browser(other.config), link))).toBe('https://app.test')

    const empty = mailSite({}, { adapter, provider: { secret: '' } })
    const next = await requestLink(browser(empty.config), empty)
    expect(locationOf(await followLink(browser(plain.config), next))).toBe('https://app.test')
  })
})

type SignIn = NonNullable<NonNullable<AuthConfig['callbacks']>['signIn']>

const DENIED = 'https://app.test/auth/error?error=AccessDenied'

const refusals: [string, () => unknown, string][] = [
  ['false', () => false, DENIED],
  ['undefined', () => undefined, DENIED],
  ['an empty string', () => '', DENIED],
  ['a path', () => '/members-only?x=1', 'https://app.test/members-only?x=1'],
  ['a URL of the site', () => 'https://app.test/no', 'https://app.test/no'],
  ['a URL of another site', () => 'https://evil.test/', 'https://app.test'],
  ['a promise of false', async () => false, DENIED],
  [
    'an error',
    () => {
      throw new Error('Not on the list: ada@example.com')
    },
    DENIED,
  ],
  ['a rejection', () => Promise.reject(new Error('Not on the list.')), DENIED],
  [
    'an error of the library',
    () => {
      throw new CredentialsSignin()
    },
    'https://app.test/auth/signin?error=CredentialsSignin&code=credentials',
  ],
]

describe('a signIn callback that rejects the request of a magic link', () => {
  test.each(refusals)(
    'prevents the mail and the stored link: %s',
    async (_name, refuse, location) => {
      const signIn = (({ email }) => (email ? refuse() : true)) as SignIn
      const site = mailSite({ callbacks: { signIn } })
      const tab = browser(site.config)
      const answer = await submitAddress(tab)
      expect([answer.status, locationOf(answer)]).toEqual([302, location])
      expect([site.mails, writes(site)]).toEqual([[], []])
      expect(tab.cookies.all().filter(({ name }) => name.includes('lib.state.'))).toEqual([])
    },
  )
})

describe.each(STRATEGIES)(
  'a signIn callback that rejects a redeemed link, with %s sessions',
  (strategy) => {
    test.each(refusals)('leaves the link valid: %s', async (_name, refuse, location) => {
      let isRefused = true
      const signIn = (({ email }) => (email || !isRefused ? true : refuse())) as SignIn
      const site = mailSite({ session: { strategy }, callbacks: { signIn } })
      const [tab, phone] = [browser(site.config), browser(site.config)]
      const link = await requestLink(tab, site)
      const refused = [await click(tab, link), await confirm(phone, await click(phone, link))]
      for (const answer of refused)
        expect([answer.status, locationOf(answer)]).toEqual([302, location])
      expect([tab.cookies.get(SESSION), phone.cookies.get(SESSION)]).toEqual([undefined, undefined])
      expect(await site.adapter.getUserByEmail(ADA)).toBeNull()
      const errors = site.log.errors.map(({ message }) => message)
      // The link is restored at the first try.
      expect(errors.filter((message) => message.includes('adapter'))).toEqual([])
      expect(countOf(site, 'createVerificationToken')).toBe(3)
      isRefused = false
      expect(locationOf(await click(tab, link))).toBe('https://app.test')
      expect(await tab.session()).toMatchObject({ user: { email: ADA } })
    })
  },
)

test('the signIn callback receives verificationRequest when a link is requested, not when it is redeemed', async () => {
  const received: object[] = []
  const site = mailSite({
    callbacks: {
      signIn(params) {
        received.push(params)
        return true
      },
    },
  })
  const tab = browser(site.config)
  await click(tab, await requestLink(tab, site))
  expect(received.map((params) => ('email' in params ? params.email : 'absent'))).toEqual([
    { verificationRequest: true },
    'absent',
  ])
  expect(received.map((params) => Object.keys(params).sort())).toEqual([
    ['account', 'email', 'user'],
    ['account', 'user'],
  ])
})

describe('callbacks that time out or throw', () => {
  beforeEach(stopClock)
  afterEach(() => void vi.useRealTimers())

  const never = (): Promise<never> => new Promise(() => undefined)

  async function after(seconds: number, answer: Promise<Response>): Promise<string | null> {
    await pass(seconds)
    return locationOf(await answer)
  }

  test('prevent the mail: signIn', async () => {
    const site = mailSite({ callbacks: { signIn: never } })
    expect(await after(10, submitAddress(browser(site.config)))).toBe(FAILED)
    expect([site.mails, writes(site)]).toEqual([[], []])
  })

  test('leave the link valid: signIn', async () => {
    let isSlow = true
    const signIn: SignIn = ({ email }) => (email || !isSlow ? true : never())
    const site = mailSite({ callbacks: { signIn } })
    const tab = browser(site.config)
    const link = await requestLink(tab, site)
    expect(await after(10, click(tab, link))).toBe(FAILED)
    isSlow = false
    expect(locationOf(await click(tab, link))).toBe('https://app.test')
  })

  test('store nothing: generateVerificationToken', async () => {
    const site = mailSite({}, { provider: { generateVerificationToken: never } })
    expect(await after(10, submitAddress(browser(site.config)))).toBe(FAILED)
    expect([site.mails, writes(site)]).toEqual([[], []])
  })

  test('leave the link valid: a redirect callback that throws', async () => {
    let isBroken = false
    const redirect = ({ baseUrl }: { baseUrl: string }): string => {
      if (isBroken) throw new Error('The redirect callback is broken.')
      return `${baseUrl}/in`
    }
    const site = mailSite({ callbacks: { redirect } })
    const tab = browser(site.config)
    const link = await requestLink(tab, site)
    isBroken = true
    expect(locationOf(await click(tab, link))).toBe(
      'https://app.test/auth/error?error=Configuration',
    )
    isBroken = false
    expect(locationOf(await click(tab, link))).toBe('https://app.test/in')
  })
})

test('event handlers that throw do not affect the sign-in', async () => {
  const fail = () => {
    throw new Error('The audit log is down.')
  }
  const events = { createUser: fail, updateUser: fail, signIn: fail }
  const site = mailSite({ events })
  const tab = browser(site.config)
  for (let at = 0; at < 2; at++) {
    expect(locationOf(await click(tab, await requestLink(tab, site)))).toBe('https://app.test')
    expect(await tab.session()).not.toBeNull()
  }
  expect(site.log.errors.map((error) => Reflect.get(error, 'type'))).toEqual(
    Array.from({ length: 4 }, () => 'EventError'),
  )
})

test('two links for a new address that are redeemed concurrently create one user', async () => {
  const site = mailSite({}, { methods: { deleteVerificationTokens: undefined } })
  const [tab, other] = [browser(site.config), browser(site.config)]
  const links = [await requestLink(tab, site), await requestLink(other, site)]
  const answers = await Promise.all([click(tab, links[0] ?? ''), click(other, links[1] ?? '')])
  expect(answers.map(locationOf)).toEqual(['https://app.test', 'https://app.test'])
  const user = await site.adapter.getUserByEmail(ADA)
  expect(await site.adapter.listSessions(user?.id ?? '')).toHaveLength(2)
})

test('requesting a link while signed in changes nothing until it is redeemed', async () => {
  const site = mailSite()
  const tab = browser(site.config)
  await click(tab, await requestLink(tab, site))
  const kept = tab.cookies.get(SESSION)?.value
  expect(locationOf(await submitAddress(tab, 'bob@example.com'))).toBe(SENT)
  expect(tab.cookies.get(SESSION)?.value).toBe(kept)
  expect(linkIn(site.mails)).toContain('bob%40example.com')
  expect(await tab.session()).toMatchObject({ user: { email: ADA } })
})

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

describe('email hooks', () => {
  const NOT_SENT = 'https://app.test/auth/signin?error=EmailSignInError&code=invalid_address'

  const MISTAKE = 'https://app.test/auth/error?error=Configuration'

  /** A parser error quotes the beginning of it. */
  const LONG = 'lovelace.augusta.ada@example.com'

  /** The JSON response for a rejected address. */
  const REFUSED = {
    error: 'EmailSignInError',
    message: 'The e-mail address is not valid.',
    code: 'invalid_address',
    retryable: false,
  }

  /** Sends an address as JSON. */
  async function askWithJson(tab: Browser, email: string): Promise<Response> {
    const json = { csrfToken: await tab.csrfToken(), email }
    return tab.request('signin/email', { method: 'POST', json })
  }

  describe('normalizeIdentifier', () => {
    const fail = () => {
      throw new Error('Not one of ours: ada@example.com')
    }

    test.each<[string, unknown]>([
      ['throws', fail],
      [
        'throws an error of another route',
        () => {
          throw new CredentialsSignin()
        },
      ],
      ['rejects', async () => fail()],
      ['rejects with a string', () => Promise.reject('not one of ours')],
    ])('rejects an address on the sign-in page if it %s', async (_name, normalizeIdentifier) => {
      const site = mailSite({}, { provider: { normalizeIdentifier } as Partial<EmailConfig> })
      const tab = browser(site.config)
      const answer = await submitAddress(tab)
      expect([answer.status, locationOf(answer)]).toEqual([302, NOT_SENT])
      expect([site.calls, site.mails]).toEqual([[], []])
      expect(site.log.errors).toMatchObject([{ type: 'EmailSignInError' }])
      const cause = site.log.errors[0]?.cause as { err?: Error } | undefined
      expect(cause?.err?.message ?? '').not.toContain(ADA)
      const program = await askWithJson(tab, ADA)
      expect(program.status).toBe(400)
      expect(await program.json()).toEqual(REFUSED)
    })

    test.each<[string, EmailConfig['normalizeIdentifier']]>([
      ['TypeError', (identifier) => new URL(identifier).href],
      // Not a tail call, which has no line in the stacks of Bun.
      ['RangeError', (identifier) => identifier.normalize('nfkc').trim()],
      ['SyntaxError', (identifier) => String(JSON.parse(identifier))],
    ])(
      'causes a server error, logged with its stack, if it throws a %s',
      async (type, normalizeIdentifier) => {
        const error = vi.spyOn(console, 'error').mockImplementation(() => undefined)
        onTestFinished(() => void vi.restoreAllMocks())
        const site = mailSite({ logger: undefined }, { provider: { normalizeIdentifier } })
        const tab = browser(site.config)
        expect(locationOf(await submitAddress(tab, LONG))).toBe(MISTAKE)
        const program = await askWithJson(tab, LONG)
        expect(program.status).toBe(500)
        expect(await program.json()).toMatchObject({ error: 'Configuration', retryable: false })
        expect([site.calls, site.mails]).toEqual([[], []])
        expect(error).toHaveBeenCalledTimes(2)
        for (const [line] of error.mock.calls) {
          expect(line).toMatch(
            /^\[auth\]\[error\] CallbackRouteError: normalizeIdentifier threw a /,
          )
          expect(line).toContain(`[auth][cause] ${type}: `)
          expect(line).toMatch(/^\s+at .*email\.test\.ts:/m)
          expect(line).not.toContain('lovela')
        }
      },
    )

    test('does not report an invalid address if it times out', async () => {
      vi.useFakeTimers()
      onTestFinished(() => void vi.useRealTimers())
      let normalizeIdentifier: unknown
      const called = new Promise<void>((resolve) => {
        normalizeIdentifier = () => new Promise<string>(() => resolve())
      })
      const site = mailSite({}, { provider: { normalizeIdentifier } as Partial<EmailConfig> })
      const tab = browser(site.config)
      const asked = askWithJson(tab, ADA)
      await called
      await vi.advanceTimersByTimeAsync(11_000)
      const answer = await asked
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
      expect(await answer.json()).toMatchObject({ error: 'EmailSignInError', retryable: true })
      expect(site.log.errors).toMatchObject([
        { message: expect.stringContaining('normalizeIdentifier did not return in time') },
      ])
    })

    test.each([[undefined], [null], [''], [42], [['ada@example.com']], [{ email: ADA }], [false]])(
      'causes a server error if it returns %j',
      async (garbage) => {
        const provider = { normalizeIdentifier: () => garbage } as unknown as Partial<EmailConfig>
        const site = mailSite({}, { provider })
        expect(locationOf(await submitAddress(browser(site.config)))).toBe(MISTAKE)
        expect([site.calls, site.mails]).toEqual([[], []])
        expect(site.log.errors).toMatchObject([
          { message: expect.stringContaining('normalizeIdentifier did not return a string') },
        ])
      },
    )

    test('determines the address in the link, the mail and the user', async () => {
      const provider: Partial<EmailConfig> = {
        normalizeIdentifier: (identifier) => identifier.trim().replace(/\+[^@]*/, ''),
      }
      const site = mailSite({}, { provider })
      const tab = browser(site.config)
      const link = await requestLink(tab, site, ' Ada+news@Example.com')
      expect(site.mails[0]?.identifier).toBe('Ada@Example.com')
      await click(tab, link)
      expect(await tab.session()).toMatchObject({ user: { email: 'Ada@Example.com' } })
    })

    test('accepts only plain addresses by default', async () => {
      const site = mailSite()
      const tab = browser(site.config)
      for (const email of [
        '',
        'ada',
        'ada@localhost',
        '"ada"@example.com',
        'a@b.test,eve@evil.test',
      ])
        expect(locationOf(await submitAddress(tab, email))).toBe(NOT_SENT)
      for (const email of ['', 'ada', 'ada@localhost', 'ada\0@example.com', 'ada@@example.com']) {
        const answer = await askWithJson(tab, email)
        expect([answer.status, answer.headers.get('retry-after')]).toEqual([400, null])
        expect(await answer.json()).toEqual(REFUSED)
      }
      expect([site.calls, site.mails]).toEqual([[], []])
    })
  })

  describe('generateVerificationToken', () => {
    test.each<[string, EmailConfig['generateVerificationToken']]>([
      ['synchronously', () => 'a token/of+our own ="<&'],
      ['asynchronously', async () => 'a token/of+our own ="<&'],
    ])('generates the token %s', async (_name, generateVerificationToken) => {
      const site = mailSite({}, { provider: { generateVerificationToken } })
      const [tab, phone] = [browser(site.config), browser(site.config)]
      const link = await requestLink(tab, site)
      expect(site.mails[0]?.token).toBe('a token/of+our own ="<&')
      const page = await click(phone, link)
      expect(page.status).toBe(200)
      expect(locationOf(await confirm(phone, page))).toBe('https://app.test')
    })

    test.each<[string, () => unknown]>([
      ['returns an empty string', () => ''],
      ['returns a number', () => 123_456],
      ['returns an object', () => ({ token: 'x' })],
      [
        'throws',
        () => {
          throw new Error('No entropy.')
        },
      ],
      ['rejects', () => Promise.reject(new Error('No entropy.'))],
    ])('causes a server error if it %s', async (_name, generate) => {
      const provider = { generateVerificationToken: generate } as unknown as Partial<EmailConfig>
      const site = mailSite({}, { provider })
      expect(locationOf(await submitAddress(browser(site.config)))).toBe(MISTAKE)
      expect([site.mails, writes(site)]).toEqual([[], []])
      expect(site.log.errors).toHaveLength(1)
    })

    test.each<[string, () => unknown]>([
      ['returns nothing', () => undefined],
      ['resolves with nothing', async () => null],
    ])('uses the default token if it %s', async (_name, generate) => {
      const provider = { generateVerificationToken: generate } as unknown as Partial<EmailConfig>
      const site = mailSite({}, { provider })
      expect(locationOf(await submitAddress(browser(site.config)))).toBe(SENT)
      expect(site.mails[0]?.token).toMatch(/^[0-9a-f]{64}$/)
    })
  })
})

describe('email failure', () => {
  const NOT_SENT = 'https://app.test/auth/signin?error=EmailSignInError'

  type Send = NonNullable<EmailConfig['sendVerificationRequest']>

  describe('a mail that cannot be sent', () => {
    const senders: [string, Send][] = [
      ['rejects', () => Promise.reject(new Error('550 no such mailbox'))],
      [
        'throws at once',
        () => {
          throw new Error('550 no such mailbox')
        },
      ],
      ['rejects with a string', () => Promise.reject('550 no such mailbox')],
    ]

    test.each(senders)(
      'redirects to the sign-in page and deletes the link if sending %s',
      async (_name, fail) => {
        const sent: string[] = []
        let isDown = true
        const site = mailSite(
          {},
          {
            provider: {
              sendVerificationRequest(request) {
                sent.push(request.url)
                return isDown ? fail(request) : undefined
              },
            },
          },
        )
        const tab = browser(site.config)
        const answer = await submitAddress(tab, ADA, { callbackUrl: '/board' })
        expect([answer.status, locationOf(answer)]).toEqual([302, NOT_SENT])
        expect(await (await tab.follow(answer)).text()).toContain('The e-mail could not be sent.')
        expect(site.log.errors).toMatchObject([{ type: 'EmailSignInError' }])
        expect(tab.cookies.all().filter(({ name }) => name.includes('lib.state.'))).toEqual([])
        expect(locationOf(await followLink(tab, sent[0] ?? ''))).toContain('error=Verification')
        // The same action succeeds when it is repeated, and keeps the callbackUrl.
        isDown = false
        expect(locationOf(await submitAddress(tab))).toBe(SENT)
        expect(locationOf(await click(tab, sent[1] ?? ''))).toBe('https://app.test/board')
      },
    )

    test('is reported as JSON with its status, without the address', async () => {
      const [, fail = () => undefined] = senders[0] ?? []
      const site = mailSite({}, { provider: { sendVerificationRequest: fail } })
      const tab = browser(site.config)
      const json = { csrfToken: await tab.csrfToken(), email: ADA }
      const answer = await tab.request('signin/email', { method: 'POST', json })
      expect(answer.status).toBe(503)
      expect(await answer.json()).toMatchObject({ error: 'EmailSignInError', retryable: true })
      const asked = await tab.request('signin/email', {
        method: 'POST',
        form: { csrfToken: json.csrfToken, email: ADA },
        headers: { 'x-auth-return-redirect': '1' },
      })
      expect([asked.status, await asked.json()]).toEqual([200, { url: NOT_SENT }])
    })

    test('is logged without its link', async () => {
      const site = mailSite(
        {},
        {
          provider: {
            server: 'smtps://user:hunter2secret@smtp.test',
            apiKey: 'key-0123456789',
            sendVerificationRequest: ({ url, token, identifier, provider }) => {
              throw new Error(
                `${url} ${token} ${identifier} ${provider.apiKey} ${String(provider.server)}`,
              )
            },
          },
        },
      )
      await submitAddress(browser(site.config))
      const [error] = site.log.errors
      const cause = error?.cause as { err?: Error }
      expect(cause.err?.message).toBe('[redacted] [redacted] [redacted] [redacted] [redacted]')
      expect(cause.err?.stack).not.toMatch(/token=|hunter2|key-0123|ada@example/)
    })
  })

  describe('a mail that times out', () => {
    beforeEach(stopClock)
    afterEach(() => void vi.useRealTimers())

    test.each<[string, Send]>([
      ['it never settles', () => new Promise(() => undefined)],
      [
        'it rejects after the timeout',
        () => new Promise((_resolve, reject) => void setTimeout(reject, 12_000, new Error('late'))),
      ],
    ])('is reported as sent, and its link is valid: %s', async (_name, wait) => {
      let link = ''
      const site = mailSite(
        {},
        {
          provider: {
            sendVerificationRequest(request) {
              link = request.url
              return wait(request)
            },
          },
        },
      )
      const tab = browser(site.config)
      const answer = submitAddress(tab)
      await until(() => link !== '')
      await pass(9)
      expect(await Promise.race([answer, 'still waiting'])).toBe('still waiting')
      await pass(1)
      expect(locationOf(await answer)).toBe(SENT)
      expect(site.log.errors).toMatchObject([{ type: 'EmailSignInError' }])
      await pass(5)
      expect(locationOf(await click(tab, link))).toBe('https://app.test')
      expect(await tab.session()).not.toBeNull()
    })
  })
})
