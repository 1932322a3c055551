import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Auth, getSession } from '../../../src/index.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { isFirstMessage, isThrottled } from '../../../src/core/log/logger.ts'
import { passwordConfig, silentLog } from '../../config.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2030-01-01') })
})
afterEach(() => {
  vi.useRealTimers()
})

const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)
const readSessionRoute = (config: AuthConfig) =>
  Auth(new Request('https://app.test/auth/session'), config)

test.each<[string, Partial<AuthConfig>]>([
  ['MissingSecretError', { secret: '' }],
  ['UntrustedHost', { trustHost: undefined }],
])('logs %s once a minute for any number of requests', async (name, overrides) => {
  const { log, logger } = silentLog()
  const fail = async () => {
    // One configuration per request, and one that is reused.
    const { config } = passwordConfig({ ...overrides, logger })
    await Promise.all([
      readSessionRoute(config),
      readSessionRoute(config),
      readSessionRoute({ ...config }),
    ])
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

test('logs each throttled type once, and every other error each time', async () => {
  const { log, logger } = silentLog()
  for (const overrides of [
    { secret: '' },
    { trustHost: undefined },
    { origin: 'x' },
    { origin: 'x' },
  ])
    await readSessionRoute(passwordConfig({ ...overrides, logger }).config)
  expect(log.errors.map((error) => error.name)).toEqual([
    'MissingSecretError',
    'UntrustedHost',
    'InvalidConfiguration',
    'InvalidConfiguration',
  ])
})

test('throttles the errors of each logger separately', () => {
  const error = Object.assign(new Error('no'), { type: 'UntrustedHost' })
  const [one, other] = [{ logger: {} }, { logger: {} }]
  expect([one, other, one].map((each) => isThrottled(error, each))).toEqual([false, false, true])
  expect(isThrottled(new Error('not from the library'), one)).toBe(false)
})

test('throttles all configurations that write to the console together', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  for (let round = 0; round < 3; round++)
    await readSessionRoute(passwordConfig({ secret: '', logger: undefined }).config)
  expect(error).toHaveBeenCalledTimes(1)
  vi.restoreAllMocks()
})

test('logs a warning once per logger, and once on the console', () => {
  const logger = {}
  expect([
    isFirstMessage('a', { logger }),
    isFirstMessage('b', { logger }),
    isFirstMessage('a', { logger }),
  ]).toEqual([true, true, false])
  expect(isFirstMessage('a', { logger: {} })).toBe(true)
  expect([isFirstMessage('for the console', {}), isFirstMessage('for the console', {})]).toEqual([
    true,
    false,
  ])
  expect(isFirstMessage('for the console', { logger: undefined })).toBe(false)
})
