import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AuthConfig } from '../../../src/index.ts'
import { browser } from '../../../src/testing/index.ts'
import { enter, passwordConfig } from '../../config.ts'
import { pass, SESSION, stopClock, until } from '../../sessions.ts'

beforeEach(stopClock)
afterEach(() => void vi.useRealTimers())

type Events = NonNullable<AuthConfig['events']>
type Name = keyof Events & ('signIn' | 'session' | 'signOut')

const handlers: [string, () => Promise<void>][] = [
  [
    'throws',
    () => {
      throw new Error('The audit log is down.')
    },
  ],
  ['rejects', () => Promise.reject(new Error('The audit log is down.'))],
  ['never resolves', () => new Promise(() => undefined)],
]
const names: Name[] = ['signIn', 'session', 'signOut']
const cases = names.flatMap((name) =>
  handlers.map(([what, handler]) => [name, what, handler] as const),
)

test.each(cases)(
  'a %s event handler that %s does not affect the response',
  async (name, _what, handler) => {
    const called = vi.fn(handler)
    const events: Events = { [name]: called }
    const { config, log } = passwordConfig({ events })
    const tab = browser(config)
    const steps: [Name, () => Promise<Response>][] = [
      ['signIn', () => enter(tab)],
      ['session', () => tab.request('session')],
      ['signOut', () => tab.post('signout')],
    ]
    const answers: number[] = []
    for (const [step, run] of steps) {
      const answer = run()
      // A response waits for an event handler for one second at most; the next step does not wait.
      if (step === name) {
        await until(() => called.mock.calls.length > 0)
        await pass(1)
      }
      answers.push((await answer).status)
    }
    expect(answers).toEqual([302, 200, 302])
    expect(tab.cookies.get(SESSION)).toBeUndefined()
    expect(log.errors).toMatchObject([{ type: 'EventError' }])
    expect(log.errors[0]?.message).toMatch(
      new RegExp(`^The ${name} event handler threw or timed out\\.`),
    )
  },
)

test('an event handler that never resolves delays the response by one second at most', async () => {
  const signIn = vi.fn(() => new Promise<void>(() => undefined))
  const { config } = passwordConfig({ events: { signIn } })
  const tab = browser(config)
  let isAnswered = false
  const answer = enter(tab).finally(() => (isAnswered = true))
  await until(() => signIn.mock.calls.length > 0)
  await pass(0.999)
  expect(isAnswered).toBe(false)
  await pass(0.001)
  expect((await answer).status).toBe(302)
  expect(await tab.session()).not.toBeNull()
})

test('an event handler that rejects after its timeout causes no second error', async () => {
  const late = vi.fn(
    () =>
      new Promise<void>(
        (_resolve, reject) => void setTimeout(() => reject(new Error('late')), 5000),
      ),
  )
  const { config, log } = passwordConfig({ events: { signIn: late } })
  const tab = browser(config)
  const answer = enter(tab)
  await until(() => late.mock.calls.length > 0)
  await pass(1)
  expect((await answer).status).toBe(302)
  await pass(10)
  expect(log.errors).toHaveLength(1)
})

test('event handlers are called with `this`', async () => {
  class Audit {
    readonly lines: string[] = []
    signIn({ user }: { user: { id?: string | undefined } }) {
      this.lines.push(`in ${user.id}`)
    }
    signOut({ token }: { token: { sub?: string | undefined } | null }) {
      this.lines.push(`out ${token?.sub}`)
    }
  }
  const audit = new Audit()
  const { config } = passwordConfig({ events: audit })
  const tab = browser(config)
  await enter(tab)
  await tab.post('signout')
  expect(audit.lines).toEqual(['in 1', 'out 1'])
})

describe('signing out', () => {
  test('passes the token of the session to the event', async () => {
    const signOut = vi.fn()
    const { config } = passwordConfig({ events: { signOut } })
    const tab = browser(config)
    await enter(tab)
    const response = await tab.post('signout')
    expect(response.headers.get('location')).toBe('https://app.test')
    expect(signOut).toHaveBeenCalledExactlyOnceWith({
      token: expect.objectContaining({ sub: '1', name: 'Ada Lovelace' }),
    })
  })

  test.each([
    ['no session', () => undefined],
    ['an invalid session', () => 'garbage'],
  ])('redirects and emits no event with %s', async (_name, cookie) => {
    const signOut = vi.fn()
    const { config } = passwordConfig({ events: { signOut } })
    const tab = browser(config)
    const value = cookie()
    if (value) tab.cookies.set(SESSION, value)
    const response = await tab.post('signout')
    expect(response.headers.get('location')).toBe('https://app.test')
    expect(tab.cookies.get(SESSION)).toBeUndefined()
    expect(signOut).not.toHaveBeenCalled()
  })

  test('requires a CSRF token', async () => {
    const { config } = passwordConfig()
    const tab = browser(config)
    await enter(tab)
    await tab.request('signout', { method: 'POST', form: {} })
    await tab.request('signout')
    expect(await tab.session()).not.toBeNull()
  })
})
