import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AuthConfig } from '../../src/index.ts'
import { CredentialsSignin } from '../../src/errors.ts'
import { browser } from '../../src/testing/index.ts'
import {
  ADA,
  submitAddress,
  click,
  confirm,
  countOf,
  FAILED,
  linkIn,
  locationOf,
  mailSite,
  requestLink,
  SENT,
  STRATEGIES,
  writes,
} from '../email.ts'
import { pass, SESSION, stopClock } from '../sessions.ts'

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
