/** `authorize` receives the password and the request: the log contains neither password nor cookies of what it throws. */
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { browser } from '../../src/testing/index.ts'
import { enter, passwordConfig, TYPED } from '../config.ts'
import { expectNoCanaries, logSinks, METHODS, rememberCookies } from './canaries.ts'
import type { Canaries } from './canaries.ts'
import { hookErrors } from './hook-errors.ts'

beforeEach(() => {
  vi.restoreAllMocks()
  for (const method of METHODS) vi.spyOn(console, method).mockImplementation(() => undefined)
})

describe.each(Object.entries(logSinks))('%s', (_sink, listen) => {
  test.each(hookErrors)(
    'receives no password and no cookie when authorize throws its arguments %s',
    async (_way, thrown) => {
      const captured = listen()
      const authorize = (credentials: object, request: Request): never => {
        throw thrown({ credentials, headers: Object.fromEntries(request.headers) })
      }
      const { config } = passwordConfig({ logger: captured.logger, debug: true }, { authorize })
      const tab = browser(config)
      await enter(tab)
      const canaries: Canaries = new Set([TYPED.password, TYPED.password.replaceAll(' ', '+')])
      rememberCookies(canaries, tab)
      expect(captured.text()).toMatch(/CallbackRouteError/)
      expectNoCanaries(captured, canaries)
    },
  )

  test.each([
    ['the Request', (request: Request) => ({ request })],
    ['its Headers', ({ headers }: Request) => ({ headers })],
  ])('receives no cookie when authorize throws an error with %s', async (_what, fields) => {
    const captured = listen()
    const authorize = (_credentials: object, request: Request): never => {
      throw Object.assign(new Error('It failed.'), fields(request))
    }
    const { config } = passwordConfig({ logger: captured.logger, debug: true }, { authorize })
    const tab = browser(config)
    await enter(tab)
    const canaries: Canaries = new Set()
    rememberCookies(canaries, tab)
    expect(canaries.size).toBeGreaterThan(0)
    expect(captured.text()).toMatch(/CallbackRouteError/)
    expectNoCanaries(captured, canaries)
  })

  test('receives no number of the form when authorize throws it', async () => {
    const captured = listen()
    const authorize = ({ pin }: Record<string, unknown>): never => {
      throw Object.assign(new Error('It failed.'), { query: { parameters: [Number(pin)] } })
    }
    const { config } = passwordConfig({ logger: captured.logger, debug: true }, { authorize })
    const tab = browser(config)
    await tab.post('callback/password', { pin: '471147' })
    expect(captured.text()).toMatch(/CallbackRouteError/)
    expectNoCanaries(captured, new Set(['471147']))
  })
})
