import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { browser, issuer } from '../../src/testing/index.ts'
import type { Browser } from '../../src/testing/index.ts'
import { configFor, enter, passwordConfig } from '../config.ts'

/** The size of a Set-Cookie header that browsers accept, in bytes (RFC 6265bis §5.6). */
const LIMIT = 4096

function lengthsIn({ headers }: Response): number[] {
  const encoder = new TextEncoder()
  return headers.getSetCookie().map((cookie) => encoder.encode(cookie).byteLength)
}

/** Text up to the size limit of a session: a character takes at most six bytes in JSON, and more once encoded. */
const text = fc
  .record({
    piece: fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
    length: fc.nat(5000),
  })
  .map(({ piece, length }) => piece.repeat(Math.ceil(length / 4 / piece.length)))

/** Cookies of many names, for one host or for all of a domain. */
const cookie = fc.record(
  {
    name: fc
      .tuple(fc.constantFrom('mine', '__Secure-mine'), fc.nat(200))
      .map(([stem, length]) => stem + 'n'.repeat(length)),
    options: fc.record(
      { domain: fc.constantFrom('app.test', '.app.test'), path: fc.constantFrom('/', '/auth') },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
)

describe('every cookie is short enough for browsers', () => {
  test('for any session content and cookie name, and the session is read back', async () => {
    await fc.assert(
      fc.asyncProperty(
        cookie,
        fc.array(text, { minLength: 1, maxLength: 3 }),
        async (sessionToken, texts) => {
          let notes = ''
          const { config } = passwordConfig({
            cookies: { sessionToken },
            callbacks: {
              jwt: ({ token }) => ({ ...token, notes }),
              session: ({ session, token }) => ({ ...session, notes: token['notes'] }),
            },
          })
          const tab = browser(config)
          await enter(tab)
          for (const wanted of texts) {
            notes = wanted
            const response = await tab.request('session')
            expect(response.status).toBe(200)
            for (const length of lengthsIn(response)) expect(length).toBeLessThanOrEqual(LIMIT)
            expect(await tab.session()).toMatchObject({ notes: wanted })
          }
          await tab.post('signout')
          const left = tab.cookies.all().map(({ name }) => name)
          expect(left.filter((name) => !/csrf-token|callback-url|known/.test(name))).toEqual([])
        },
      ),
      { numRuns: 60 },
    )
  })

  test.each([
    ['slashes', `/${'a/'.repeat(1000)}`],
    ['characters of three bytes', `/${'語'.repeat(1000)}`],
    ['characters of four bytes', `/${'🔑'.repeat(1000)}`],
    ['percent signs', `/${'%25'.repeat(600)}`],
    ['a query', `/?${'a=%20&'.repeat(300)}`],
  ])('for any callbackUrl: %s', async (_what, callbackUrl) => {
    const op = await issuer()
    const { config } = configFor(op)
    const tab = browser(config)
    const query = new URLSearchParams({ callbackUrl })
    const answers = [
      await tab.request(`signin?${query.toString().slice(0, 8000)}`),
      await tab.post('signin/op', { callbackUrl }),
      await tab.post('signout', { callbackUrl }),
    ]
    for (const answer of answers) {
      expect(answer.status).toBeLessThan(400)
      for (const length of lengthsIn(answer)) expect(length).toBeLessThanOrEqual(LIMIT)
    }
  })
})

describe('transaction cookies', () => {
  /** Bytes of the Cookie header that transaction cookies take. */
  const heldBytes = (tab: Browser) =>
    tab.cookies
      .all()
      .filter(({ name }) => name.startsWith('__Host-lib.state.'))
      .reduce((sum, { name, value }) => sum + `${name}=${value}; `.length, 0)

  const path = (length: number, repeated: string) =>
    `/${repeated.repeat(Math.ceil(length / repeated.length))}`.slice(0, length)

  async function site() {
    const op = await issuer({ clientSecret: 'client secret' })
    return { tab: browser(configFor(op).config, { issuer: op }) }
  }

  test.each([
    ['letters', path(2048, 'a')],
    ['slashes', path(2048, 'a/')],
    ['escapes', path(2047, '%25').slice(0, 2047)],
    ['escaped text', path(2047, '%E8%AA%9E')],
    ['a query', `/?${'a=%20&b,'.repeat(255)}`],
  ])('keep a callbackUrl of 2,048 characters: %s', async (_what, callbackUrl) => {
    expect(callbackUrl.length).toBeGreaterThan(2040)
    const { tab } = await site()
    const transaction = await tab.begin('op', { callbackUrl })
    expect((await transaction.complete()).headers.get('location')).toBe(
      `https://app.test${callbackUrl}`,
    )
    expect(await tab.session()).not.toBeNull()
  })

  test('take less than 4 kB together, and the newest sign-in succeeds', async () => {
    const { tab } = await site()
    for (const length of [2048, 2048, 10, 900, 10, 2048, 10, 10, 1500, 10]) {
      const callbackUrl = path(length, 'a')
      const transaction = await tab.begin('op', { callbackUrl })
      expect(heldBytes(tab)).toBeLessThanOrEqual(4096)
      expect(
        tab.cookies.header({ url: new URL(tab.origin), method: 'GET', initiator: 'same-site' })
          .length,
      ).toBeLessThan(8192)
      if (length === 1500)
        expect((await transaction.complete()).headers.get('location')).toBe(
          `https://app.test${callbackUrl}`,
        )
    }
  })

  test('of short return URLs are kept for several sign-ins', async () => {
    const { tab } = await site()
    const transactions = [await tab.begin('op'), await tab.begin('op'), await tab.begin('op')]
    for (const transaction of transactions) {
      await transaction.complete()
      expect(await tab.session()).not.toBeNull()
      await tab.post('signout')
    }
  })

  test.each([400, 700])(
    'drop a long return URL, and the sign-in succeeds: %s letters',
    async (length) => {
      const op = await issuer({ clientSecret: 'client secret' })
      const lines: unknown[] = []
      const logger = { debug: (...line: unknown[]) => void lines.push(line) }
      const tab = browser(configFor(op, { logger }).config, { issuer: op })
      const transaction = await tab.begin('op', { callbackUrl: path(length, '語') })
      expect(lines).toContainEqual(['return URL dropped', expect.anything()])
      expect((await transaction.complete()).headers.get('location')).toBe('https://app.test')
      expect(await tab.session()).not.toBeNull()
    },
  )

  test('replace planted cookies', async () => {
    const { tab } = await site()
    for (let index = 0; index < 4; index++)
      tab.cookies.set(`__Host-lib.state.${index}`, index % 2 ? 'x'.repeat(1800) : '%41'.repeat(300))
    const transaction = await tab.begin('op')
    expect(heldBytes(tab)).toBeLessThanOrEqual(4096)
    await transaction.complete()
    expect(await tab.session()).not.toBeNull()
  })
})
