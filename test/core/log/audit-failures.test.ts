import { describe, expect, test, vi, afterEach } from 'vitest'
import * as errors from '../../../src/errors.ts'
import { errorTable } from '../../../src/core/errors/table.ts'
import type { AuditOptions, AuditEvent, AuthConfig } from '../../../src/index.ts'
import { browser } from '../../../src/testing/index.ts'
import { recordAudit } from '../../audit.ts'
import { enter, passwordConfig, TYPED } from '../../config.ts'
import { stopClock, until, pass } from '../../sessions.ts'
import { Auth } from '../../../src/index.ts'
import Credentials from '../../../src/providers/credentials.ts'
import {
  ADA,
  enterCode,
  mailProvider,
  mailSite,
  requestCode,
  submitAddress,
  wrongCode,
} from '../../email.ts'

function isErrorClass(value: unknown): value is typeof errors.AuthError {
  return typeof value === 'function' && value.prototype instanceof errors.AuthError
}

const classes: ReadonlyMap<string, typeof errors.AuthError> = new Map(
  Object.values(errors).flatMap((value) => (isErrorClass(value) ? [[value.type, value]] : [])),
)

const audited = Object.entries(errorTable).filter(([, row]) => row.audit)

describe('a failure', () => {
  test.each(audited)('%s is one event with the reference of the log', async (type) => {
    const { audit, events } = recordAudit()
    const error = new (classes.get(type) ?? errors.AuthError)('No.')
    const signIn = () => {
      throw error
    }
    const { config, log } = passwordConfig({ audit, callbacks: { signIn } })
    const references: unknown[] = []
    const logger = { ...config.logger, error: (_: Error, about: unknown) => references.push(about) }
    await enter(browser({ ...config, logger }))
    expect(events).toHaveLength(1)
    expect(events[0]).toMatchObject({
      reason: type,
      type: errorTable[type as 'AccessDenied'].audit,
    })
    expect(references).toEqual([{ reference: events[0]?.ref }])
    expect(log.errors).toEqual([])
  })

  test('shows the reference of the event on the error page', async () => {
    const { audit, events } = recordAudit()
    const tab = browser(passwordConfig({ audit, callbacks: { signIn: () => false } }).config)
    const page = await (await tab.follow(await enter(tab))).text()
    expect(page).toContain(events[0]?.ref)
  })
})

describe('with protection', () => {
  test('an event contains the client address, and the account that protection.identifier names', async () => {
    const { audit, events } = recordAudit({ identifiers: 'plain' })
    const protection = {
      clientAddress: { header: 'x-real-ip' },
      identifier: ({ username }: Readonly<Record<string, unknown>>) => `staff:${String(username)}`,
    }
    const { config } = passwordConfig({ audit, protection })
    const tab = browser(config, { headers: { 'x-real-ip': '2001:db8::1' } })
    await enter(tab, { ...TYPED, password: 'wrong' })
    expect(events[0]).toMatchObject({
      address: '2001:db8:0:0::/64',
      target: { kind: 'user', id: 'staff:ada' },
    })
  })

  test('an event is written without what a function cannot determine', async () => {
    const { audit, events } = recordAudit()
    const fail = () => {
      throw new Error('No.')
    }
    const protection = { clientAddress: fail, knownBrowsers: 'off' as const }
    await enter(browser(passwordConfig({ audit, protection }).config), {})
    expect(events).toHaveLength(1)
    expect(events[0]?.address).toBeUndefined()
  })

  test('an exhausted limit is an event with its name', async () => {
    const { audit, types, events } = recordAudit()
    const protection = { limits: { 'password.account': { burst: 1, per: 60 } } }
    const tab = browser(passwordConfig({ audit, protection }).config)
    for (const _ of [1, 2]) await enter(tab, { ...TYPED, username: 'limited', password: 'wrong' })
    expect(types()).toEqual(['signin failure', 'attempt.limited denied'])
    expect(events.map(({ limit }) => limit)).toEqual([undefined, 'password.account'])
  })
})

describe('audit.write', () => {
  test('that throws does not fail the sign-in, and is logged', async () => {
    const write = () => {
      throw new Error('The disk is full.')
    }
    const { config, log } = passwordConfig({ audit: { write } })
    const tab = browser(config)
    await enter(tab)
    expect(await tab.session()).not.toBeNull()
    expect(log.errors).toMatchObject([{ type: 'EventError' }])
  })

  test('that does not respond delays the sign-in by one second', async () => {
    stopClock()
    try {
      const write = vi.fn(() => new Promise<void>(() => undefined))
      const { config, log } = passwordConfig({ audit: { write } })
      const tab = browser(config)
      await tab.csrfToken()
      const entered = enter(tab)
      await until(() => write.mock.calls.length > 0)
      await vi.advanceTimersByTimeAsync(1000)
      expect((await entered).status).toBe(302)
      expect(log.errors).toMatchObject([{ type: 'EventError' }])
    } finally {
      vi.useRealTimers()
    }
  })

  test.each<[string, unknown, string]>([
    ['no function', {}, 'audit.write is not a function (got undefined).'],
    ['no object', true, 'audit.write is not a function (got undefined).'],
    [
      'other identifiers',
      { write: () => undefined, identifiers: 'none' },
      'audit.identifiers is not "hashed" or "plain" (got "none").',
    ],
  ])('is validated: %s', async (_name, audit, message) => {
    const { config, log } = passwordConfig({ audit: audit as AuditOptions })
    expect((await browser(config).request('session')).status).toBe(500)
    expect(log.errors[0]?.message).toContain(message)
  })
})

afterEach(() => void vi.useRealTimers())

type Answer = 'stored' | 'failed'

/** A sink whose writes end when the test says so. */
function heldSink(configOf = (config: AuthConfig): AuthConfig => config) {
  const events: AuditEvent[] = []
  const waiting: ((answer: Answer) => void)[] = []
  async function write(event: AuditEvent): Promise<void> {
    events.push(event)
    const answer = await new Promise<Answer>((resolve) => void waiting.push(resolve))
    if (answer === 'failed') throw new Error('The disk is full.')
  }
  const { config, log } = passwordConfig({ audit: { write } })
  const settle = (answer: Answer) => {
    for (const resolve of waiting.splice(0)) resolve(answer)
  }
  /** Causes an event, `csrf.refused`. */
  const cause = () =>
    Auth(new Request('https://app.test/auth/signout', { method: 'POST' }), configOf(config))
  /** Causes an event whose write ends with this answer; returns its count of dropped events. */
  async function next(answer: Answer = 'stored'): Promise<number | undefined> {
    const before = events.length
    const response = cause()
    await until(() => events.length > before)
    settle(answer)
    await response
    return events.at(-1)?.dropped
  }
  /** Begins 1000 writes, and causes two more events. */
  async function overflow(): Promise<Promise<Response>[]> {
    const first = Array.from({ length: 1000 }, cause)
    await until(() => events.length === 1000)
    await Promise.all([cause(), cause()])
    return first
  }
  return { events, log, settle, cause, next, overflow }
}

test.each([
  ['', undefined],
  [', with a configuration for each request', (config: AuthConfig) => ({ ...config })],
])(
  'the next event counts those that were dropped while 1000 were pending%s',
  async (_, configOf) => {
    const { events, log, settle, next, overflow } = heldSink(configOf)
    const first = await overflow()
    expect(events).toHaveLength(1000)
    settle('stored')
    await Promise.all(first)
    expect(await next()).toBe(2)
    expect(await next()).toBeUndefined()
    expect(log.lines.map(([, code]) => code)).toEqual(['audit-dropped'])
  },
)

test('the number is kept if the event that contains it is not written', async () => {
  const { settle, next, overflow } = heldSink()
  const first = await overflow()
  settle('stored')
  await Promise.all(first)
  expect(await next('failed')).toBe(2)
  expect(await next('failed')).toBe(2)
  expect(await next()).toBe(2)
  expect(await next()).toBeUndefined()
})

test('writes that do not end within 30 seconds are dropped, and later events are written', async () => {
  stopClock()
  const { events, overflow, cause } = heldSink()
  const first = await overflow()
  await pass(29)
  await Promise.all([...first, cause()])
  expect(events).toHaveLength(1000)
  await pass(1)
  void cause()
  await until(() => events.length === 1001)
  expect(events.at(-1)?.dropped).toBe(1003)
  // With the number that the write above contained, which has not ended either.
  await pass(30)
  void cause()
  await until(() => events.length > 1001)
  expect(events.at(-1)?.dropped).toBe(1004)
})

describe('the target of a failed sign-in', () => {
  const DECOY = 'grace@example.com'
  const DECOYS = { email: DECOY, username: DECOY, login: DECOY, phone: DECOY }

  /** A site with a password and e-mail codes. */
  function auditedSite(protection: AuthConfig['protection'], fields: Record<string, object>) {
    const { audit, events } = recordAudit({ identifiers: 'plain' })
    const mails: ReturnType<typeof mailSite>['mails'] = []
    const password = Credentials({ id: 'password', credentials: fields, authorize: () => null })
    const providers = [mailProvider(mails, { method: 'code' }), password]
    const { config } = mailSite({ protection, providers, audit, session: { strategy: 'jwt' } })
    const targets = () => events.map(({ target }) => target?.id)
    return { tab: browser(config), config, mails, targets }
  }

  const FORM = { username: {}, password: {} }

  test.each<[string, AuthConfig['protection'], Record<string, object>, Record<string, string>]>([
    ['the field of the form', {}, FORM, { ...DECOYS, username: 'ada' }],
    ['the field of the form, without limits', 'off', FORM, { ...DECOYS, username: 'ada' }],
    ['the first field, without a form', {}, {}, { phone: 'ada' }],
    [
      'what protection.identifier returns',
      { identifier: ({ customer }) => String(customer) },
      {},
      { ...DECOYS, customer: 'ada' },
    ],
  ])('of a wrong password is %s', async (_name, protection, form, fields) => {
    const { tab, targets } = auditedSite(protection, form)
    await tab.post('callback/password', { ...fields, password: 'wrong' })
    expect(targets()).toEqual(['ada'])
  })

  test('of a form without a name is missing', async () => {
    const { tab, targets } = auditedSite({ identifier: () => null }, FORM)
    await tab.post('callback/password', { ...DECOYS, password: 'wrong' })
    expect(targets()).toEqual([undefined])
  })

  test('of a wrong code is the address that it was sent to', async () => {
    const site = auditedSite({ identifier: ({ username }) => String(username) }, FORM)
    const { tab, targets } = site
    await enterCode(tab, wrongCode(await requestCode(tab, site)), DECOYS)
    expect(targets()).toEqual([ADA])
  })

  test('of a code that this browser did not request is missing', async () => {
    const { tab, targets } = auditedSite({}, FORM)
    await enterCode(tab, '123456', DECOYS)
    expect(targets()).toEqual([undefined])
  })

  test('of a limited e-mail is its recipient', async () => {
    const { tab, targets } = auditedSite({ limits: { mail: { burst: 1, per: 60 } } }, FORM)
    for (let sent = 0; sent < 2; sent++)
      await submitAddress(tab, ' ADA@example.com', { username: DECOY, login: DECOY })
    expect(targets()).toEqual([ADA])
  })

  test('of a wrong magic link is its address', async () => {
    const { tab, targets } = auditedSite({}, FORM)
    const token = 'a'.repeat(64)
    await tab.post('callback/email', { token, email: ADA, username: DECOY, login: DECOY })
    expect(targets()).toEqual([ADA])
  })
})
