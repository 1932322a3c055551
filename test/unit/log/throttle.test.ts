import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Auth, getSession } from '../../../src/index.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { isFirst, isNews } from '../../../src/log/throttle.ts'
import { passwordConfig, silentLog } from '../../config.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2030-01-01') })
})
afterEach(() => {
  vi.useRealTimers()
})

const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)
const ask = (config: AuthConfig) => Auth(new Request('https://app.test/auth/session'), config)

test.each<[string, Partial<AuthConfig>]>([
  ['MissingSecretError', { secret: '' }],
  ['UntrustedHost', { trustHost: undefined }],
])('%s is logged once a minute, however many requests come', async (name, overrides) => {
  const { log, logger } = silentLog()
  const fail = async () => {
    // Configurations made for each request, and one that stays.
    const { config } = passwordConfig({ ...overrides, logger })
    await Promise.all([ask(config), ask(config), ask({ ...config })])
    const headers = new Headers({ host: 'app.test' })
    await expect(getSession(headers, config)).rejects.toHaveProperty('name', name)
  }
  const names = () => log.errors.map((error) => error.name)
  await fail()
  expect(names()).toEqual([name])
  pass(59)
  await fail()
  expect(names()).toEqual([name])
  pass(1)
  await fail()
  expect(names()).toEqual([name, name])
})

test('each of the two is logged, and everything else each time', async () => {
  const { log, logger } = silentLog()
  for (const overrides of [
    { secret: '' },
    { trustHost: undefined },
    { origin: 'x' },
    { origin: 'x' },
  ])
    await ask(passwordConfig({ ...overrides, logger }).config)
  expect(log.errors.map((error) => error.name)).toEqual([
    'MissingSecretError',
    'UntrustedHost',
    'InvalidConfiguration',
    'InvalidConfiguration',
  ])
})

test('what one log was told, another was not', () => {
  const error = Object.assign(new Error('no'), { type: 'UntrustedHost' })
  const [one, other] = [{ logger: {} }, { logger: {} }]
  expect([isNews(error, one), isNews(error, other), isNews(error, one)]).toEqual([
    true,
    true,
    false,
  ])
  expect(isNews(new Error('of a stranger'), one)).toBe(true)
})

test('the console is one log, however many configurations write to it', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  for (let round = 0; round < 3; round++)
    await ask(passwordConfig({ secret: '', logger: undefined }).config)
  expect(error).toHaveBeenCalledTimes(1)
  vi.restoreAllMocks()
})

test('what is said once is said once to each logger, and once on the console', () => {
  const logger = {}
  const said = (message: string, settings: object) => isFirst(message, settings)
  expect([said('a', { logger }), said('b', { logger }), said('a', { logger })]).toEqual([
    true,
    true,
    false,
  ])
  expect(said('a', { logger: {} })).toBe(true)
  expect([said('for the console', {}), said('for the console', {})]).toEqual([true, false])
  expect(said('for the console', { logger: undefined })).toBe(false)
})
