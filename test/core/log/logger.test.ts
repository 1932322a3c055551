import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  AccessDenied,
  AdapterError,
  CallbackRouteError,
  OAuthCallbackError,
  SessionUnavailable,
} from '../../../src/errors.ts'
import { createLogger, isFirstMessage, isThrottled } from '../../../src/core/log/logger.ts'
import { Auth, getSession } from '../../../src/index.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { passwordConfig, silentLog } from '../../config.ts'

const METHODS = ['error', 'warn', 'info', 'log', 'debug'] as const

/** The console output, by method. */
function consoleLines(): [string, string][] {
  return METHODS.flatMap((method) =>
    vi.mocked(console[method]).mock.calls.map(([line]): [string, string] => [method, String(line)]),
  )
}

beforeEach(() => {
  for (const method of METHODS) vi.spyOn(console, method).mockImplementation(() => undefined)
})
afterEach(() => void vi.restoreAllMocks())

describe('the built-in logger', () => {
  test('prints the cause, stack and redacted details of an unexpected error', () => {
    const cause = new TypeError('x is undefined')
    createLogger({}).error(
      new CallbackRouteError('It broke.', { cause, provider: 'op', access_token: 'secret' }),
    )
    const [[method, text] = ['', ''], ...others] = consoleLines()
    expect([method, others]).toEqual(['error', []])
    const lines = text.split('\n')
    expect(lines[0]?.replace(/[\da-f]{4}-[\da-f]{4}/, '…')).toBe(
      '[auth][error] CallbackRouteError: It broke. Read more: node_modules/lib-auth/docs/errors.md#callbackrouteerror [reference: …]',
    )
    expect(lines[1]).toBe('[auth][cause] TypeError: x is undefined')
    expect(lines[2]).toMatch(/^ {4}at .*logger\.test\.ts/)
    expect(lines.at(-1)).toMatch(
      /^\[auth\]\[details\] \{"provider":"op","access_token":"sha256:\w{8}"\}$/,
    )
  })

  test('prints the chain of causes down to the root cause', () => {
    const refused = new Error('connect ECONNREFUSED 127.0.0.1:8080')
    const cause = new TypeError('fetch failed', { cause: refused })
    createLogger({}).error(new CallbackRouteError('It broke.', { cause }))
    const inner = new AdapterError('The adapter method getUser failed.', {
      cause: new Error('relation "users" does not exist'),
    })
    createLogger({}).error(new SessionUnavailable('The session is unknown.', { cause: inner }))
    const causes = consoleLines().map(([, text]) =>
      text.split('\n').filter((line) => line.startsWith('[auth][cause]')),
    )
    expect(causes).toEqual([
      [
        '[auth][cause] TypeError: fetch failed',
        '[auth][cause] Error: connect ECONNREFUSED 127.0.0.1:8080',
      ],
      [
        expect.stringMatching(
          /^\[auth\]\[cause\] AdapterError: The adapter method getUser failed\./,
        ),
        '[auth][cause] Error: relation "users" does not exist',
      ],
    ])
  })

  test('prints an error that is its own cause once', () => {
    const cause = new Error('round and round')
    cause.cause = cause
    createLogger({}).error(new CallbackRouteError('It broke.', { cause }))
    expect(consoleLines()).toEqual([['error', expect.stringContaining('round and round')]])
  })

  test('prints the failure of a provider as a warning', () => {
    createLogger({}).error(new OAuthCallbackError('No.', { provider: 'op' }))
    expect(consoleLines()).toEqual([
      ['warn', expect.stringMatching(/^\[auth\]\[error\] OAuthCallbackError: No\./)],
    ])
  })

  test('prints an error of the user in one line', () => {
    const cause = new Error('Not on Sundays')
    createLogger({}).error(new AccessDenied('No.', { cause }))
    expect(consoleLines()).toEqual([
      [
        'info',
        '[auth][info] AccessDenied: No. Read more: node_modules/lib-auth/docs/errors.md#accessdenied [cause: Not on Sundays]',
      ],
    ])
  })

  test('prints an error of another library with its stack', () => {
    createLogger({}).error(new RangeError('out of it'))
    const [[method, text] = ['', '']] = consoleLines()
    expect(method).toBe('error')
    expect(text).toMatch(
      /^\[auth\]\[error\] RangeError: out of it \[reference: [\da-f-]{9}\]\n {4}at /,
    )
  })

  test('prints a warning once, also after many others, and remembers a bounded number of them', () => {
    const log = createLogger({})
    for (let each = 0; each < 3000; each++) {
      log.warnOnce('duplicate-provider', `Provider ${each}.`)
      log.warnOnce('mount-mismatch', `A request to /${each} was not handled.`, '/auth')
    }
    log.warnOnce('duplicate-provider', 'Provider 2999.')
    expect(consoleLines().filter(([, line]) => line?.includes('2999'))).toHaveLength(1)
    const memory: object = Reflect.get(globalThis, Symbol.for('lib-auth.process.1'))
    expect(Object(Reflect.get(memory, 'console')).size).toBe(1000)
  })

  test('prints warnings with their code', () => {
    createLogger({}).warn('weak-secret', 'It can be guessed.', 7)
    expect(consoleLines()).toEqual([['warn', '[auth][warn] weak-secret It can be guessed. 7']])
  })

  test('prints debug messages only with debug: true', () => {
    createLogger({}).debug?.('step')
    expect(consoleLines()).toEqual([])
    createLogger({ debug: true }).debug?.('step', { code: 'x', provider: 'op' })
    createLogger({ debug: true }).debug?.('step')
    expect(consoleLines()).toEqual([
      [
        'log',
        expect.stringMatching(/^\[auth\]\[debug\] step \{"code":"sha256:\w{8}","provider":"op"\}$/),
      ],
      ['log', '[auth][debug] step'],
    ])
  })

  const FORGED = 'x\n[auth][error] forged\r\n    at forged (file.ts:1:1)\u001b[2J'

  test.each<[string, (text: string) => void]>([
    ['the message of an error', (text) => createLogger({}).error(new CallbackRouteError(text))],
    [
      'the message of its cause',
      (text) => createLogger({}).error(new CallbackRouteError('x', { cause: new Error(text) })),
    ],
    ['a detail', (text) => createLogger({}).error(new CallbackRouteError('x', { provider: text }))],
    [
      'the name of a cause',
      (text) =>
        createLogger({}).error(
          new CallbackRouteError('x', { cause: Object.assign(new Error(), { name: text }) }),
        ),
    ],
    ['a warning', (text) => createLogger({}).warn('csrf-disabled', text)],
    ['a debug line', (text) => createLogger({ debug: true }).debug?.(text)],
    ['metadata', (text) => createLogger({ debug: true }).debug?.('x', { name: text })],
  ])('escapes line breaks and control characters in %s', (_name, write) => {
    write(FORGED)
    const [[, text] = ['', '']] = consoleLines()
    expect(text).toContain('forged')
    const lines = text.split('\n')
    expect(lines.filter((line) => /^(?:\[auth\]\[error\]|\s+at) forged/.test(line))).toEqual([])
    // No control characters, on which a terminal would act.
    expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
  })

  test('prints details that cannot be serialized as JSON', () => {
    const cyclic: Record<string, unknown> = { size: 7n }
    cyclic['self'] = cyclic
    createLogger({}).error(new CallbackRouteError('It broke.', { cyclic }))
    expect(consoleLines()[0]?.[1]).toMatch(/\[auth\]\[details\] \{"cyclic":\{"size":"7",/)
  })
})

describe('a logger of the application', () => {
  test('receives every level, and the console receives nothing', () => {
    const logger = { error: vi.fn(), warn: vi.fn(), debug: vi.fn() }
    const log = createLogger({ logger })
    const error = new AccessDenied('No.')
    log.error(error)
    log.warn('csrf-disabled', 'more', 7)
    log.debug?.('step', { token: 'x', provider: 'op' })
    expect(logger.error).toHaveBeenCalledExactlyOnceWith(error)
    expect(logger.warn).toHaveBeenCalledExactlyOnceWith('csrf-disabled', 'more', 7)
    expect(logger.debug).toHaveBeenCalledExactlyOnceWith('step', {
      token: expect.stringMatching(/^sha256:/),
      provider: 'op',
    })
    expect(consoleLines()).toEqual([])
  })

  test.each(['error', 'warn', 'debug'] as const)(
    'receives %s only, and the console receives the other levels',
    (level) => {
      const receive = vi.fn()
      const log = createLogger({ logger: { [level]: receive } })
      log.error(new AccessDenied('No.'))
      log.warn('csrf-disabled')
      log.debug?.('step')
      expect(receive).toHaveBeenCalledOnce()
      const expected = { error: ['info'], warn: ['warn'], debug: [] as string[] }
      const others = (['error', 'warn', 'debug'] as const).filter((each) => each !== level)
      expect(
        consoleLines()
          .map(([method]) => method)
          .sort(),
      ).toEqual(others.flatMap((each) => expected[each]).sort())
    },
  )

  test.each([true, false])('receives debug messages with debug: %s', (debug) => {
    const receive = vi.fn()
    createLogger({ logger: { debug: receive }, debug }).debug?.('step')
    expect(receive).toHaveBeenCalledOnce()
    createLogger({ logger: { error: vi.fn() }, debug }).debug?.('step')
    expect(consoleLines()).toEqual([])
  })

  test('is called with `this`', () => {
    class Memory {
      readonly [level: string]: (...args: never[]) => unknown
      static readonly lines: string[] = []
      #prefix = 'mine'
      warn = (code: string) => Memory.lines.push(`${this.#prefix} ${code}`)
      error(error: Error) {
        Memory.lines.push(`${this.#prefix} ${error.name}`)
      }
    }
    const log = createLogger({ logger: new Memory() })
    log.warn('csrf-disabled')
    log.error(new AccessDenied('No.'))
    expect(Memory.lines).toEqual(['mine csrf-disabled', 'mine AccessDenied'])
  })

  test.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('disk full')
      },
    ],
    ['rejects', () => Promise.reject(new Error('disk full'))],
  ])('does not fail the request when it %s', async (_name, fail) => {
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    const log = createLogger({ logger: { error: fail, warn: fail, debug: fail } })
    log.error(new AccessDenied('No.'))
    log.warn('csrf-disabled')
    log.debug?.('step')
    await new Promise((resolve) => setTimeout(resolve, 5))
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })
})

describe('a message that many requests cause', () => {
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
    for (let round = 0; round < 3; round++)
      await readSessionRoute(passwordConfig({ secret: '', logger: undefined }).config)
    expect(console.error).toHaveBeenCalledTimes(1)
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
})
