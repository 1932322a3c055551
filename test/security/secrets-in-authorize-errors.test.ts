/** `authorize` receives the password and the request: the log contains neither password nor cookies of what it throws. */
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { browser } from '../../src/testing/index.ts'
import { enter, passwordConfig, TYPED } from '../config.ts'
import { expectNone, listeners, METHODS, rememberCookies } from './canaries.ts'
import type { Canaries } from './canaries.ts'
import { ways } from './thrown.ts'

beforeEach(() => {
  vi.restoreAllMocks()
  for (const method of METHODS) vi.spyOn(console, method).mockImplementation(() => undefined)
})

describe.each(Object.entries(listeners))('%s', (_listener, listen) => {
  test.each(ways)(
    'receives no password and no cookie when authorize throws its arguments %s',
    async (_way, thrown) => {
      const heard = listen()
      const authorize = (credentials: object, request: Request): never => {
        throw thrown({ credentials, headers: Object.fromEntries(request.headers) })
      }
      const { config } = passwordConfig({ logger: heard.logger, debug: true }, { authorize })
      const tab = browser(config)
      await enter(tab)
      const canaries: Canaries = new Set([TYPED.password, TYPED.password.replaceAll(' ', '+')])
      rememberCookies(canaries, tab)
      expect(heard.text()).toMatch(/CallbackRouteError/)
      expectNone(heard, canaries)
    },
  )

  test.each([
    ['the Request', (request: Request) => ({ request })],
    ['its Headers', ({ headers }: Request) => ({ headers })],
  ])('receives no cookie when authorize throws an error with %s', async (_what, told) => {
    const heard = listen()
    const authorize = (_credentials: object, request: Request): never => {
      throw Object.assign(new Error('It failed.'), told(request))
    }
    const { config } = passwordConfig({ logger: heard.logger, debug: true }, { authorize })
    const tab = browser(config)
    await enter(tab)
    const canaries: Canaries = new Set()
    rememberCookies(canaries, tab)
    expect(canaries.size).toBeGreaterThan(0)
    expect(heard.text()).toMatch(/CallbackRouteError/)
    expectNone(heard, canaries)
  })

  test('receives no number of the form when authorize throws it', async () => {
    const heard = listen()
    const authorize = ({ pin }: Record<string, unknown>): never => {
      throw Object.assign(new Error('It failed.'), { query: { parameters: [Number(pin)] } })
    }
    const { config } = passwordConfig({ logger: heard.logger, debug: true }, { authorize })
    const tab = browser(config)
    await tab.post('callback/password', { pin: '471147' })
    expect(heard.text()).toMatch(/CallbackRouteError/)
    expectNone(heard, new Set(['471147']))
  })
})
