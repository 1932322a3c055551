import { describe, expect, test } from 'vitest'
import { Auth } from '../../src/index.ts'
import { browser } from '../../src/testing/index.ts'
import { enter, passwordConfig } from '../config.ts'
import { NAVIGATION, ORIGIN, send, watched } from './watched.ts'

/** Milliseconds this process computes for, whatever else runs on the machine. */
async function cost(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** The least of several measurements: the others were disturbed. */
async function leastCost(work: () => Promise<unknown>): Promise<number> {
  const costs: number[] = []
  for (let round = 0; round < 5; round++) costs.push(await cost(work))
  return Math.min(...costs)
}

const many = (count: number, name: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => `${name(index)}=${'v'.repeat(8)}`).join('; ')

const SESSION = '__Host-lib.session-token'

describe('a request that is long in every way', () => {
  test.each([
    ['names nobody knows', (index: number) => `c${index}`],
    ['names of pieces of a session', (index: number) => `${SESSION}.${index}`],
    ['names of sign-ins under way', (index: number) => `__Host-lib.state.${index}`],
    ['one name', () => SESSION],
    ['names that almost fit', () => `${SESSION}-legacy`],
  ])('costs little: 3,000 cookies with %s', async (_what, name) => {
    const { config } = watched()
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

  test('costs little when it holds a session cookie of garbage', async () => {
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

  test('does not sign anybody out whose session cookie is within the limit', async () => {
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

describe('a browser with many sign-ins under way', () => {
  test('gets rid of the oldest ones, and can sign in', async () => {
    const { config } = watched()
    const tab = browser(config)
    for (let index = 0; index < 30; index++) tab.cookies.set(`__Host-lib.state.${index}@`, 'x')
    for (let index = 0; index < 30; index++) tab.cookies.set(`__Host-lib.state.${index}`, 'x')
    const response = await tab.post('signin/plain')
    expect(response.headers.get('location')).toMatch(/^https:\/\/plain\.test\/authorize\?/)
    const held = tab.cookies.all().filter(({ name }) => /state\.\w+$/.test(name))
    expect(held).toHaveLength(5)
  })
})
