import { describe, expect, test, vi } from 'vitest'
import * as errors from '../../../src/errors.ts'
import { errorTable } from '../../../src/core/errors/table.ts'
import type { AuditOptions } from '../../../src/index.ts'
import { browser } from '../../../src/testing/index.ts'
import { recordAudit } from '../../audit.ts'
import { enter, passwordConfig, TYPED } from '../../config.ts'
import { stopClock, until } from '../../sessions.ts'

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
