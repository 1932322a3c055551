import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { Auth, skipCSRFCheck } from '../../src/index.ts'
import { getToken } from '../../src/jwt.ts'
import { browser } from '../../src/testing/index.ts'
import { enter, passwordConfig, SECRET } from '../config.ts'
import { NAVIGATION, ORIGIN, send, recordingConfig } from './recording-config.ts'

/** CPU time of this process in milliseconds. */
async function cost(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** The minimum of several measurements, against noise. */
async function leastCost(work: () => Promise<unknown>): Promise<number> {
  const costs: number[] = []
  for (let round = 0; round < 5; round++) costs.push(await cost(work))
  return Math.min(...costs)
}

const many = (count: number, name: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => `${name(index)}=${'v'.repeat(8)}`).join('; ')

const SESSION = '__Host-lib.session-token'

describe('a request with long headers', () => {
  test.each([
    ['unknown names', (index: number) => `c${index}`],
    ['names of session chunks', (index: number) => `${SESSION}.${index}`],
    ['names of transaction cookies', (index: number) => `__Host-lib.state.${index}`],
    ['one name', () => SESSION],
    ['names that begin like that of the session', () => `${SESSION}-legacy`],
  ])('is processed quickly: 3,000 cookies with %s', async (_what, name) => {
    const { config } = recordingConfig()
    const path = `/auth/${'a/'.repeat(32_000)}`
    const query = `?${'callbackUrl[]=%2F&'.repeat(900)}`
    const headers = { ...NAVIGATION, cookie: many(3000, name) }
    const work = async () => {
      expect((await send(config, path, { headers })).status).toBe(404)
      expect((await send(config, `/auth/signin${query}`, { headers })).status).toBe(400)
      expect((await send(config, '/auth/signin', { headers })).status).toBe(200)
      const response = await send(config, '/auth/session', { headers })
      expect(response.status).toBe(200)
      expect(response.headers.getSetCookie().length).toBeLessThanOrEqual(102)
    }
    expect(await leastCost(work)).toBeLessThan(150)
  })

  test('is processed quickly with an invalid session cookie', async () => {
    const { config } = passwordConfig()
    for (const garbage of ['x'.repeat(7000), 'e30.'.repeat(1500), '.'.repeat(5000)]) {
      const headers = { cookie: `${SESSION}=${garbage}` }
      const work = async () => {
        const response = await send(config, '/auth/session', { headers })
        expect(await response.json()).toBeNull()
      }
      expect(await leastCost(work)).toBeLessThan(10)
    }
  })

  test('is processed quickly by getToken with a long Authorization header', async () => {
    const headers = { authorization: `Bearer ${'A'.repeat(4_000_000)}..a.a.a` }
    const work = async () => expect(await getToken({ req: { headers }, secret: SECRET })).toBeNull()
    expect(await leastCost(work)).toBeLessThan(10)
  })

  test('calls a custom jwt.decode at most 24 times', async () => {
    let calls = 0
    const decode = () => {
      calls++
      return null
    }
    const { config } = passwordConfig({ migrateSessions: true, jwt: { decode } })
    const names = ['__Host-lib', '__Secure-lib', 'lib', '__Secure-authjs']
    const cookies = names.map((name) =>
      Array.from({ length: 150 }, (_, index) => `${name}.session-token=${index}`).join('; '),
    )
    const chunks = names.map((name) => `${name}.session-token.0=x`)
    const headers = { cookie: [...cookies, ...chunks].join('; ') }
    await send(config, '/auth/session', { headers })
    expect(calls).toBeGreaterThan(0)
    expect(calls).toBeLessThanOrEqual(24)
    calls = 0
    await getToken({ req: { headers }, secret: SECRET, decode, migrateSessions: true })
    expect(calls).toBeGreaterThan(0)
    expect(calls).toBeLessThanOrEqual(30)
  })

  test.each([
    ['short values', (index: number) => `a=${index}"`],
    ['invalid escapes', () => 'a=%%%%'],
    ['values of an error', (index: number) => `a=Error${index}`],
  ])(
    'is processed quickly when authorize throws: a Cookie header full of %s',
    async (_what, pair) => {
      const { config, log } = passwordConfig(
        { skipCSRFCheck },
        {
          authorize: ({ username }) => {
            throw new Error(`${'Error'.repeat(50)} ${String(username)}`)
          },
        },
      )
      const cookie = Array.from({ length: 2500 }, (_, index) => pair(index))
        .join('; ')
        .slice(0, 16_000)
      const work = async () => {
        for (let time = 0; time < 10; time++) {
          const body = new URLSearchParams({ username: 'the user name', password: 'x' })
          await send(config, '/auth/callback/password', {
            method: 'POST',
            body,
            headers: { cookie },
          })
        }
      }
      expect(await leastCost(work)).toBeLessThan(60)
      expect(log.errors.length).toBeGreaterThan(0)
      for (const { cause } of log.errors) expect(inspect(cause)).not.toContain('the user name')
    },
  )

  test('keeps a session whose cookie is within the limit', async () => {
    const { config } = passwordConfig()
    const tab = browser(config)
    await enter(tab)
    const session = `${SESSION}=${tab.cookies.get(SESSION)?.value ?? ''}`
    const url = `${ORIGIN}/auth/session`
    const before = new Request(url, { headers: { cookie: `${session}; ${many(3000, String)}` } })
    expect(await (await Auth(before, config)).json()).not.toBeNull()
    const after = new Request(url, { headers: { cookie: `${many(3000, String)}; ${session}` } })
    const response = await Auth(after, config)
    expect(await response.json()).toBeNull()
    expect(response.headers.getSetCookie()).toEqual([])
  })
})

describe('a browser with many open sign-ins', () => {
  test('loses the oldest transactions and can sign in', async () => {
    const { config } = recordingConfig()
    const tab = browser(config)
    for (let index = 0; index < 30; index++) tab.cookies.set(`__Host-lib.state.${index}@`, 'x')
    for (let index = 0; index < 30; index++) tab.cookies.set(`__Host-lib.state.${index}`, 'x')
    const response = await tab.post('signin/plain')
    expect(response.headers.get('location')).toMatch(/^https:\/\/plain\.test\/authorize\?/)
    const held = tab.cookies.all().filter(({ name }) => /state\.\w+$/.test(name))
    expect(held).toHaveLength(5)
  })
})
