/** Users reset a forgotten password, and change it. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import { browser } from '../../../src/testing/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import type { VerificationRequest } from '../../../src/core/config/email.ts'
import type { Session } from '../../../src/index.ts'
import { Password } from '../../../src/password.ts'
import GitHub from '../../../src/providers/github.ts'
import { down, errorTypes, without } from '../../database.ts'
import { followLink, mailProvider, requestLink } from '../../email.ts'
import { pass, stopClock } from '../../sessions.ts'
import {
  ADA,
  enter,
  locationOf,
  mailedSite,
  passwordSite,
  RIGHT,
  STRATEGIES,
} from './password-site.ts'
import type { MailedSite } from './password-site.ts'

afterEach(() => vi.useRealTimers())

const NEW = 'a pound of purple plums'
const SENT = 'https://app.test/auth/password/sent?about=forgot'
const DONE = 'https://app.test/auth/password/done'
const CHANGE = 'https://app.test/auth/password/change'

function request(tab: Browser, email = ADA): Promise<Response> {
  return tab.post('password/forgot', { email })
}

function tokenIn({ mails }: MailedSite): string {
  const { url = '' } = mails.findLast(({ kind }) => kind === 'reset') ?? {}
  return new URL(url).searchParams.get('token') ?? ''
}

async function requestToken(site: MailedSite): Promise<string> {
  await request(site.open())
  return tokenIn(site)
}

const reset = (tab: Browser, token: string, password = NEW) =>
  tab.post('password/reset', { token, password })

test.each(['deleteUserSessions', 'listSessions'] as const)(
  'an adapter without %s ends the session of a thief, too',
  async (method) => {
    const site = mailedSite('database', { adapter: without(MemoryAdapter(), method) })
    await site.createUser()
    const thief = site.open()
    await enter(thief)
    expect((await thief.session())?.user?.email).toBe(ADA)
    expect(locationOf(await reset(site.open(), await requestToken(site)))).toBe(DONE)
    expect(await thief.session()).toBeNull()
    expect(site.log.lines).toEqual([])
  },
)

describe.each(STRATEGIES)('with the strategy %s', (strategy) => {
  test('a link replaces the password, ends all sessions and signs in nobody', async () => {
    const site = mailedSite(strategy)
    const id = await site.createUser()
    const [phone, tab] = [site.open(), site.open()]
    await enter(phone)
    expect(locationOf(await request(tab))).toBe(SENT)
    expect(site.mails).toMatchObject([{ kind: 'reset', to: ADA, user: { id } }])
    const page = await tab.request(site.mails[0]?.url ?? '', { initiator: 'cross-site' })
    const html = await page.text()
    expect(html).toMatch(
      /<input [^>]*autocomplete="username"[^>]*value="ada@example.com"|value="ada@example.com"[^>]*autocomplete="username"/,
    )
    expect(html).toMatch(/autocomplete="new-password"[^>]* minlength="12"[^>]* autofocus/)
    // With `no-referrer`, browsers send `Origin: null` with the form, and some no header that shows its site.
    expect(page.headers.get('referrer-policy')).toBe('strict-origin')
    expect(locationOf(await reset(tab, tokenIn(site)))).toBe(DONE)
    expect(await tab.session()).toBeNull()
    expect(await phone.session()).toBeNull()
    expect(locationOf(await enter(tab))).toContain('error=CredentialsSignin')
    await enter(tab, NEW)
    expect((await tab.session())?.user?.email).toBe(ADA)
    expect(site.mails.at(-1)).toMatchObject({
      kind: 'notice',
      to: ADA,
      notice: { change: 'password-changed' },
    })
    expect(site.audited).toContainEqual(
      expect.objectContaining({ type: 'password.changed', target: { kind: 'user', id } }),
    )
  })

  test('a user without a password can choose one with the link', async () => {
    const site = mailedSite(strategy)
    await site.createUser(ADA, { hash: null })
    const token = await requestToken(site)
    const tab = site.open()
    expect(locationOf(await reset(tab, token))).toBe(DONE)
    await enter(tab, NEW)
    expect(await tab.session()).not.toBeNull()
  })

  test('the response, the cookies and the work are the same for each address', async () => {
    const site = mailedSite(strategy, { config: { protection: 'off' } })
    await site.createUser()
    await site.createUser('none@example.com', { hash: null })
    const seen = []
    for (const email of [ADA, 'none@example.com', 'unknown@example.com']) {
      const tab = site.open()
      await tab.csrfToken()
      site.called()
      const mailsBefore = site.mails.length
      const response = await request(tab, email)
      const { status } = response
      seen.push({
        status,
        location: locationOf(response),
        headers: [...response.headers.keys()].sort(),
        cookies: tab.cookies.all().map(({ name }) => name),
        calls: site.called(),
        mails: site.mails.length - mailsBefore,
        page: (await (await tab.request(SENT)).text())
          .replaceAll(/nonce(?:="|-)[\w-]+/g, '')
          .replaceAll(/>[^<]*@?[^<]*<wbr/g, '')
          .replaceAll(email, '')
          .replaceAll(/<strong>.*?<\/strong>/gs, ''),
      })
    }
    for (const each of seen) expect(each).toEqual(seen[0])
    expect(seen[0]?.mails).toBe(1)
    expect(site.mails.at(-1)).toMatchObject({
      kind: 'reset',
      user: null,
      to: 'unknown@example.com',
    })
    expect(site.mails.at(-1)?.text).not.toContain('token')
  })

  test('more mails are not sent, with the same response', async () => {
    const site = mailedSite(strategy)
    await site.createUser()
    for (const email of [ADA, 'unknown@example.com']) {
      site.mails.length = 0
      const places = []
      for (let count = 0; count < 6; count++)
        places.push(locationOf(await request(site.open(), email)))
      expect(places).toEqual(Array(6).fill(SENT))
      expect(site.mails).toHaveLength(3)
      const limited = site.audited.splice(0).map(({ type, limit }) => [type, limit])
      expect(limited).toEqual([1, 2, 3].map(() => ['attempt.limited', 'mail']))
    }
  })

  test('a link can be used once, also at the same time', async () => {
    const site = mailedSite(strategy)
    await site.createUser()
    const token = await requestToken(site)
    const responses = await Promise.all(
      Array.from({ length: 5 }, (_, index) => reset(site.open(), token, `${NEW} ${index}`)),
    )
    expect(responses.filter((each) => locationOf(each) === DONE)).toHaveLength(1)
    expect(responses.filter(({ status }) => status === 403)).toHaveLength(4)
    expect((await reset(site.open(), token)).status).toBe(403)
  })

  test('a link is valid for 30 minutes', async () => {
    stopClock()
    const site = mailedSite(strategy)
    await site.createUser()
    const token = await requestToken(site)
    await pass(30 * 60 + 1)
    expect((await reset(site.open(), token)).status).toBe(403)
  })

  test('a change of the password, and another reset, invalidate a link; a rehash does not', async () => {
    const site = mailedSite(strategy)
    await site.createUser()
    const first = await requestToken(site)
    const tab = site.open()
    await enter(tab)
    const second = await requestToken(site)
    expect(locationOf(await reset(site.open(), first))).toBe(DONE)
    expect((await reset(site.open(), second)).status).toBe(403)
    const third = await requestToken(site)
    await enter(tab, NEW)
    await tab.post('password/change', { current: NEW, password: `${NEW} again` })
    expect((await reset(site.open(), third)).status).toBe(403)
  })

  test('a change of the address invalidates a link', async () => {
    const site = mailedSite(strategy)
    const id = await site.createUser()
    const token = await requestToken(site)
    await site.stored.updateUser?.({ id, email: 'ada@example.org' })
    expect((await reset(site.open(), token)).status).toBe(403)
  })

  test.each([
    ['too_short', 'short'],
    ['too_short', 'x'.repeat(11)],
    ['too_short', '\u{1f511}'.repeat(11)],
    ['common', 'qwertyuiop123'],
    ['common', 'Password2024!!'],
    ['common', 'supermansuperman'],
    ['unusable', '\ufdfa'.repeat(500)],
    ['unusable', 'a password with NUL\0'],
  ])('a password is rejected as %s, and the link stays valid: %s', async (code, password) => {
    const site = mailedSite(strategy)
    await site.createUser()
    const token = await requestToken(site)
    const tab = site.open()
    const place = locationOf(await reset(tab, token, password)) ?? ''
    expect(place).toBe(
      `https://app.test/auth/password/reset?token=${token}&error=PasswordRejected&code=${code}`,
    )
    expect(await (await tab.request(place)).text()).toMatch(/role="alert">[^<]*password/i)
    expect(locationOf(await reset(tab, token))).toBe(DONE)
  })

  test('no password is truncated: 4096 bytes are accepted', async () => {
    const site = mailedSite(strategy)
    await site.createUser()
    const long = 'correct horse battery '.repeat(200).slice(0, 4096)
    const tab = site.open()
    await reset(tab, await requestToken(site), long)
    expect(locationOf(await enter(tab, long.slice(0, -1)))).toContain('CredentialsSignin')
    await enter(tab, long)
    expect(await tab.session()).not.toBeNull()
  })

  test('an unverified user who resets the password evicts whoever has used the account', async () => {
    const site = mailedSite(strategy)
    const id = await site.createUser(ADA, { emailVerified: null })
    await site.stored.linkAccount?.({
      provider: 'op',
      providerAccountId: 'attacker',
      type: 'oidc',
      userId: id,
    })
    const attacker = site.open()
    await enter(attacker)
    const owner = site.open()
    expect(locationOf(await reset(owner, await requestToken(site)))).toBe(DONE)
    expect(await attacker.session()).toBeNull()
    expect(await site.stored.listAccounts?.(id)).toEqual([])
    expect((await site.stored.getUser?.(id))?.emailVerified).toBeInstanceOf(Date)
    expect(locationOf(await enter(attacker))).toContain('CredentialsSignin')
    await enter(owner, NEW)
    expect(await owner.session()).not.toBeNull()
  })

  test.each(['getUser', 'getPassword', 'setPassword', 'readRecords', 'writeRecord'] as const)(
    'while %s fails, the password stays, and the link works afterwards',
    async (method) => {
      const site = mailedSite(strategy, { config: { protection: 'off' } })
      const id = await site.createUser()
      const token = await requestToken(site)
      const before = await site.stored.getPassword?.(id)
      const tab = site.open()
      await tab.csrfToken()
      site.faults[method] = down
      expect(locationOf(await reset(tab, token))).toContain('error=TemporarilyUnavailable')
      expect(await site.stored.getPassword?.(id)).toEqual(before)
      delete site.faults[method]
      expect(locationOf(await reset(tab, token))).toBe(DONE)
    },
  )

  test('a mail that is not sent leaves no link', async () => {
    const send = () => {
      throw new Error('The mail server is down.')
    }
    const site = mailedSite(strategy, { config: { account: { send }, protection: 'off' } })
    await site.createUser()
    for (const email of [ADA, 'unknown@example.com'])
      expect(locationOf(await request(site.open(), email))).toContain(
        'error=TemporarilyUnavailable',
      )
    const written = site.calls.filter(({ method }) => method === 'writeRecord')
    const deleted = site.calls.filter(({ method }) => method === 'deleteRecords')
    expect([written.length, deleted.length]).toEqual([2, 2])
    expect(errorTypes(site.log)).toEqual(['AccountMailError', 'AccountMailError'])
  })

  test('a user changes the password with the current one, and stays signed in', async () => {
    const site = mailedSite(strategy)
    const id = await site.createUser()
    const [tab, phone] = [site.open(), site.open()]
    for (const each of [tab, phone]) await enter(each)
    const page = await (await tab.request('https://app.test/auth/password/change')).text()
    expect(page).toMatch(/autocomplete="current-password"/)
    const wrong = await tab.post('password/change', { current: 'wrong', password: NEW })
    expect(locationOf(wrong)).toBe(
      'https://app.test/auth/password/change?error=CredentialsSignin&code=current_password',
    )
    const right = await tab.post('password/change', { current: RIGHT, password: NEW })
    expect(locationOf(right)).toBe('https://app.test/auth/password/change?done=1')
    expect(await tab.session()).not.toBeNull()
    expect(await phone.session()).toBeNull()
    await enter(phone, NEW)
    expect(await phone.session()).not.toBeNull()
    expect(site.audited).toContainEqual(
      expect.objectContaining({ type: 'password.changed', actor: { kind: 'user', id } }),
    )
    expect(site.mails).toMatchObject([{ kind: 'notice', notice: { change: 'password-changed' } }])
  })

  test('the page shows an error next to the field that was rejected', async () => {
    const site = mailedSite(strategy)
    await site.createUser()
    const tab = site.open()
    await enter(tab)
    const invalid = async (current: string, password: string) => {
      const place = locationOf(await tab.post('password/change', { current, password })) ?? ''
      const html = await (await tab.request(place)).text()
      return html
        .match(/<input[^>]*aria-invalid="true"[^>]*>/g)
        ?.map((input) => / name="(\w+)"/.exec(input)?.[1])
    }
    expect(await invalid('wrong', NEW)).toEqual(['current'])
    expect(await invalid(RIGHT, 'short')).toEqual(['password'])
  })

  test('of two changes at the same time, one succeeds', async () => {
    const site = mailedSite(strategy)
    await site.createUser()
    const tabs = [site.open(), site.open()]
    for (const each of tabs) await enter(each)
    const places = await Promise.all(
      tabs.map(async (tab, index) =>
        locationOf(
          await tab.post('password/change', { current: RIGHT, password: `${NEW} ${index}` }),
        ),
      ),
    )
    // The sessions of each other end; the one whose password is stored may have ended, too.
    const done = places.map((place) => place === DONE || place === `${CHANGE}?done=1`)
    expect(done.filter(Boolean)).toHaveLength(1)
    expect(await site.accepted([`${NEW} 0`, `${NEW} 1`, RIGHT])).toEqual([...done, false])
  })

  test('who signs out in another tab during the change keeps the new password', async () => {
    const site = mailedSite(strategy)
    await site.createUser()
    const tab = site.open()
    await enter(tab)
    site.faults.setPassword = async (run) => {
      const result = await run()
      delete site.faults.setPassword
      await tab.post('signout')
      return result
    }
    const response = await tab.post('password/change', { current: RIGHT, password: NEW })
    expect(locationOf(response)).toBe(DONE)
    expect(await tab.session()).toBeNull()
    expect(await site.accepted([RIGHT, NEW])).toEqual([false, true])
  })

  /** Ada, whose address is not verified, has an account and has signed in; `evict` verifies the address for its owner. */
  async function unverified(hash?: null) {
    const links: VerificationRequest[] = []
    const providers = [
      Password(),
      mailProvider(links),
      GitHub({ clientId: 'x', clientSecret: 'y' }),
    ]
    const site = mailedSite(strategy, { config: { providers } })
    const id = await site.createUser(ADA, { emailVerified: null })
    const account = { provider: 'github', providerAccountId: '1', type: 'oauth' } as const
    await site.stored.linkAccount?.({ ...account, userId: id })
    const [attacker, owner] = [site.open(), site.open()]
    await enter(attacker)
    if (hash === null) await site.stored.setPassword?.(id, null)
    const link = await requestLink(owner, { mails: links })
    return { ...site, id, attacker, owner, evict: () => followLink(owner, link) }
  }

  test('the owner of the address, who evicts the user during the change, leaves no password', async () => {
    // A first password, which is stored although the eviction has deleted the one of before.
    const site = await unverified(null)
    site.faults.setPassword = async (run) => {
      delete site.faults.setPassword
      await site.evict()
      return run()
    }
    const response = await site.attacker.post('password/change', { password: NEW })
    expect(locationOf(response)).toContain('/auth/signin')
    expect(await site.stored.getPassword?.(site.id)).toBeNull()
    expect(await site.accepted([RIGHT, NEW])).toEqual([false, false])
  })

  test('a session that begins with the password of an evicted user ends with it', async () => {
    const site = await unverified(null)
    const second = site.open()
    let begun: Session | null = null
    site.faults.setPassword = async (run) => {
      delete site.faults.setPassword
      await site.evict()
      site.faults.setPassword = async (remove) => {
        delete site.faults.setPassword
        await enter(second, NEW)
        begun = await second.session()
        return remove()
      }
      return run()
    }
    await site.attacker.post('password/change', { password: NEW })
    expect(begun).not.toBeNull()
    expect(await second.session()).toBeNull()
    expect(await site.accepted([NEW])).toEqual([false])
    const reported = site.audited.filter(({ type }) => type === 'password.changed')
    expect([reported, site.mails.filter(({ kind }) => kind === 'notice')]).toEqual([[], []])
  })

  test('a password that is removed does not come back if the eviction of the user removes the other methods', async () => {
    const site = await unverified()
    site.faults.setPassword = async (run) => {
      delete site.faults.setPassword
      const result = await run()
      await site.evict()
      return result
    }
    await site.attacker.post('password/remove')
    expect(await site.stored.getPassword?.(site.id)).toBeNull()
    expect(await site.accepted([RIGHT])).toEqual([false])
  })

  test('wrong current passwords are limited like sign-ins', async () => {
    const site = mailedSite(strategy)
    await site.createUser()
    const tab = site.open()
    await enter(tab)
    const places = []
    for (let guess = 0; guess < 14; guess++)
      places.push(
        locationOf(await tab.post('password/change', { current: 'wrong', password: NEW })),
      )
    expect(places.at(-1)).toContain('error=TooManyAttempts')
    expect(
      locationOf(await tab.post('password/change', { current: RIGHT, password: NEW })),
    ).toContain('error=TooManyAttempts')
  })

  test('a visitor who opens the page signs in first, and a form without a session changes nothing', async () => {
    const site = mailedSite(strategy)
    await site.createUser()
    const tab = site.open()
    const page = await tab.request('https://app.test/auth/password/change')
    expect(locationOf(page)).toBe(
      'https://app.test/auth/signin?callbackUrl=https%3A%2F%2Fapp.test%2Fauth%2Fpassword%2Fchange',
    )
    const response = await tab.post('password/change', { current: RIGHT, password: NEW })
    expect(locationOf(response)).toContain('/auth/signin')
  })
})

test('without a mail transport, the pages that send mails do not exist, and no link leads there', async () => {
  const site = passwordSite()
  const tab = site.open()
  expect(await (await tab.request('https://app.test/auth/signin')).text()).not.toContain(
    '/password/',
  )
  const response = await tab.request('https://app.test/auth/password/forgot')
  expect(response.status).toBe(500)
  expect(site.log.errors[0]?.message).toContain('Set account: { send }')
})

test('other pages about passwords, and those without the provider, are 404', async () => {
  const site = mailedSite('jwt')
  for (const path of ['password', 'password/constructor', 'password/unknown', 'password/change/x'])
    expect((await site.open().request(`https://app.test/auth/${path}`)).status).toBe(404)
  const { config } = passwordSite({ config: { providers: [] } })
  expect((await browser(config).request('https://app.test/auth/password/forgot')).status).toBe(404)
})

test('a link of another tenant with the same secret and store is not valid', async () => {
  const store = MemoryAdapter()
  const tenant = (origin: string) => mailedSite('database', { config: { origin, store } })
  // Both have a user with this id and address. The staff of the first one read its mails.
  const [other, site] = [tenant('https://other.test'), tenant('https://app.test')]
  const row = { id: 'ada', email: ADA, emailVerified: new Date(0), name: 'Ada', image: null }
  for (const { stored } of [other, site]) await stored.createUser?.(row)
  await request(browser(other.config, { origin: 'https://other.test' }))
  expect(tokenIn(other)).toHaveLength(43)
  expect((await reset(site.open(), tokenIn(other))).status).toBe(403)
  expect(await site.stored.getPassword?.('ada')).toBeNull()
})
