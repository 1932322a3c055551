import { beforeEach, describe, expect, test } from 'vitest'
import { browser, issuer } from '../../src/testing/index.ts'
import type { Browser } from '../../src/testing/index.ts'
import { configFor, oidc } from '../config.ts'
import { transactionCookies, expectRefused, expectSignedIn, site } from '../oauth.ts'
import type { Site } from '../oauth.ts'

const op = await issuer()
const other = await issuer({ url: 'https://other.test' })

beforeEach(() => {
  op.reset()
  other.reset()
})

describe('two tabs', () => {
  test('sign in with the same provider independently', async () => {
    const { tab, log } = site(op)
    const first = await tab.begin('op', { callbackUrl: '/first' })
    const second = await tab.begin('op', { callbackUrl: '/second' })
    await expectSignedIn({ tab, log }, await first.complete(), 'https://app.test/first')
    await expectSignedIn({ tab, log }, await second.complete(), 'https://app.test/second')
    expect(transactionCookies(tab)).toEqual([])
  })

  test('sign in with two providers independently', async () => {
    const { config, log } = configFor(op, {
      providers: [oidc(op), oidc(other, { id: 'other' })],
      fetch: async (input, init) => {
        const { url } = new Request(input, init)
        return url.startsWith(other.url) ? other.fetch(input, init) : op.fetch(input, init)
      },
    })
    const tab = browser(config)
    const first = await tab.begin('op')
    const second = await tab.begin('other')
    const atOther = await other.authorize(second.url, { sub: 'grace', name: 'Grace Hopper' })
    await expectSignedIn({ tab, log }, await first.comeBack(await op.authorize(first.url)))
    await expectSignedIn({ tab, log }, await second.comeBack(atOther))
    expect(await tab.session()).toMatchObject({ user: { name: 'Grace Hopper' } })
  })
})

describe('a browser', () => {
  test('stores the five newest transactions at most', async () => {
    const { tab } = site(op)
    const begun = []
    for (let count = 0; count < 20; count++) begun.push(await tab.begin('op'))
    expect(transactionCookies(tab)).toHaveLength(5)
    const url = new URL('https://app.test/auth/session')
    const header = tab.cookies.header({ url, method: 'GET', initiator: 'same-site' })
    expect(header.length).toBeLessThan(4096)
    const evicted = await begun[14]?.complete()
    expect(evicted?.headers.get('location')).toBe('https://app.test/auth/signin?error=InvalidCheck')
    const oldest = await begun[15]?.complete()
    expect(oldest?.headers.get('location')).toBe('https://app.test')
  })

  test('deletes the oldest transactions after many started concurrently', async () => {
    const { tab } = site(op)
    await tab.csrfToken()
    await Promise.all(Array.from({ length: 20 }, async () => tab.begin('op')))
    const last = await tab.begin('op')
    expect(transactionCookies(tab)).toHaveLength(5)
    expect((await last.complete()).headers.get('location')).toBe('https://app.test')
  })
})

describe('a callback that was used', () => {
  async function signedIn(): Promise<{ on: Site; url: string; cookies: [string, string][] }> {
    const on = site(op)
    op.misbehaviour.overlooks = ['code_reuse']
    const transaction = await on.tab.begin('op', { callbackUrl: '/members' })
    const cookies = on.tab.cookies.all().map(({ name, value }): [string, string] => [name, value])
    const { url } = await op.authorize(transaction.url)
    await expectSignedIn(on, await transaction.comeBack({ url }), 'https://app.test/members')
    return { on, url, cookies }
  }

  test('redirects again if it is reloaded while signed in', async () => {
    const { on, url } = await signedIn()
    await on.tab.begin('op', { callbackUrl: '/elsewhere' })
    const response = await on.tab.request(url)
    expect(response.headers.get('location')).toBe('https://app.test/members')
    expect(on.log.errors).toEqual([])
    expect(op.requests.token).toBe(1)
  })

  test('does not redirect a user of another configuration to its return URL', async () => {
    const { url } = await signedIn()
    const tenant = site(op, { browser: { origin: 'https://other.test' } })
    await expectSignedIn(tenant, await tenant.tab.signIn('op'))
    const response = await tenant.tab.request(url.replace('https://app.test', 'https://other.test'))
    expect(response.headers.get('location')).toBe('https://other.test')
  })

  test('is rejected with copied cookies, even if the provider accepts the code twice', async () => {
    const { on, url, cookies } = await signedIn()
    const thief: Browser = on.open()
    for (const [name, value] of cookies) thief.cookies.set(name, value)
    const response = await thief.request(url)
    expect(op.requests.token).toBe(1)
    await expectRefused({ ...on, tab: thief }, response, { type: 'InvalidCheck' })
  })

  test('succeeds for one of two concurrent requests', async () => {
    const on = site(op)
    op.misbehaviour.overlooks = ['code_reuse']
    const transaction = await on.tab.begin('op')
    const answer = await op.authorize(transaction.url)
    await Promise.all([transaction.comeBack(answer), transaction.comeBack(answer)])
    expect(op.requests.token).toBe(1)
    expect(on.signedIn).toHaveLength(1)
  })
})
