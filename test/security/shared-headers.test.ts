/** No response contains a cookie of another user, also where `Response` keeps the `Headers` object it is given. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Auth } from '../../src/index.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import { configFor, enter, passwordConfig } from '../config.ts'
import { SESSION, cookieValue } from '../sessions.ts'
import { installKeepingResponse, keepsHeaders } from '../setup/header-keeping-response.ts'

const USERS = 100
const names = Array.from({ length: USERS }, (_, index) => `user-${index}`)

test('the global Response keeps its Headers only in the test project for that', () => {
  expect(keepsHeaders()).toBe(process.env['RESPONSE'] === 'keeps headers')
})

describe('with a Response that keeps the Headers object it is given', () => {
  let restore: () => void

  beforeEach(() => {
    restore = installKeepingResponse()
  })
  afterEach(() => restore())

  const { config } = passwordConfig({}, { authorize: ({ username }) => ({ id: String(username) }) })

  /** The cookies of all responses that a visitor without cookies receives. */
  async function cookiesOfVisitor(): Promise<string[]> {
    const routes = [
      'session',
      'csrf',
      'providers',
      'signin',
      'signout',
      'error',
      'callback/password',
    ]
    const answers = routes.map(async (route) => {
      const response = await Auth(new Request(`https://app.test/auth/${route}`), config)
      return response.headers.getSetCookie()
    })
    return (await Promise.all(answers)).flat()
  }

  test('no response to a visitor holds a cookie of another user after 100 sign-ins', async () => {
    const tabs = names.map(() => browser(config))
    for (const [index, tab] of tabs.entries()) {
      const response = await enter(tab, { username: names[index] ?? '', password: 'any' })
      const sessions = response.headers.getSetCookie().filter((each) => each.startsWith(SESSION))
      expect(sessions).toEqual([expect.stringContaining(encodeURIComponent(cookieValue(tab)))])
    }
    const held = tabs.flatMap(({ cookies }) => cookies.all().map(({ value }) => value))
    const seen = await cookiesOfVisitor()
    expect(seen.filter((cookie) => held.some((value) => cookie.includes(value)))).toEqual([])
    expect(seen.filter((cookie) => cookie.startsWith(SESSION))).toEqual([])
  })

  test('each of 100 users who sign in at the same time receives only their own cookies', async () => {
    const tabs = names.map((username) => ({ username, tab: browser(config) }))
    await Promise.all(tabs.map(({ username, tab }) => enter(tab, { username, password: 'any' })))
    const ids = await Promise.all(tabs.map(({ tab }) => tab.request('session')))
    expect(ids.flatMap(({ headers }) => headers.getSetCookie())).toEqual([])
    expect(new Set(tabs.map(({ tab }) => cookieValue(tab))).size).toBe(USERS)
  })

  test('a sign-in at an OpenID provider succeeds', async () => {
    const op = await issuer({ clientSecret: 'client secret' })
    const tab = browser(configFor(op).config, { issuer: op })
    expect((await tab.signIn('op')).status).toBe(302)
    expect((await tab.session())?.user).toBeDefined()
    expect(await cookiesOfVisitor()).not.toContainEqual(expect.stringContaining(SESSION))
  })
})
