import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { browser, issuer } from '../../src/testing/index.ts'
import { configFor, enter, passwordConfig } from '../config.ts'

/** What browsers keep of one Set-Cookie header, in bytes (RFC 6265bis §5.6). */
const LIMIT = 4096

function lengthsIn({ headers }: Response): number[] {
  const encoder = new TextEncoder()
  return headers.getSetCookie().map((cookie) => encoder.encode(cookie).byteLength)
}

/** A text up to what a session may hold: a character takes six bytes in JSON at the most, and more once encoded. */
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

describe('every cookie fits into a browser', () => {
  test('whatever the application keeps in a session, and whatever the cookie is called, and it is there the next time', async () => {
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
          expect(left.filter((name) => !/csrf-token|callback-url/.test(name))).toEqual([])
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
  ])('however long the way to go on is: %s', async (_what, callbackUrl) => {
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
