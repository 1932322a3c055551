/** Events that `audit.write` does not store are counted in a later event. */
import { afterEach, expect, test, vi } from 'vitest'
import { Auth } from '../../../src/index.ts'
import type { AuditEvent, AuthConfig } from '../../../src/index.ts'
import { passwordConfig } from '../../config.ts'
import { pass, stopClock, until } from '../../sessions.ts'

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
