/** `jwt.encode` and `jwt.decode`: session tokens in a format of the application. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { SessionUnavailable } from '../../src/errors.ts'
import { browser } from '../../src/testing/index.ts'
import { enter, passwordConfig, SECRET } from '../config.ts'
import {
  cookieValue,
  pass,
  readWith,
  resolveSession,
  SESSION,
  stopClock,
  until,
} from '../sessions.ts'

beforeEach(stopClock)
afterEach(() => void vi.useRealTimers())

describe('tokens of the application', () => {
  const encode = vi.fn(
    ({ token }: { token?: object | undefined }) => `mine.${btoa(JSON.stringify(token))}`,
  )
  const decode = vi.fn(({ token }: { token?: string | undefined }) => {
    const [kind, text = ''] = token?.split('.') ?? []
    if (kind !== 'mine') throw new Error('not mine')
    return JSON.parse(atob(text))
  })

  test('replace the encrypted tokens', async () => {
    const { config } = passwordConfig({ jwt: { encode, decode, maxAge: 600 } })
    const tab = browser(config)
    await enter(tab)
    expect(cookieValue(tab)).toMatch(/^mine\./)
    expect(await tab.session()).toMatchObject({ user: { name: 'Ada Lovelace' } })
    expect(encode).toHaveBeenLastCalledWith({
      token: expect.objectContaining({ sub: '1' }),
      secret: SECRET,
      salt: SESSION,
      maxAge: 600,
    })
    expect(decode).toHaveBeenLastCalledWith({
      token: cookieValue(tab),
      secret: SECRET,
      salt: SESSION,
    })
  })

  test.each<[string, () => never]>([
    [
      'throws',
      () => {
        throw new Error('bad signature')
      },
    ],
    ['returns null', (() => null) as () => never],
    ['returns a string', (() => 'ada') as () => never],
  ])('end the session when decode %s', async (_name, bad) => {
    const { config } = passwordConfig({ jwt: { decode: bad } })
    expect(await resolveSession(`${SESSION}=mine.e30`, config)).toEqual([null, [`-${SESSION}`]])
  })

  test('keep the session when decode throws SessionUnavailable', async () => {
    const { config } = passwordConfig({
      jwt: { decode: () => Promise.reject(new SessionUnavailable('The key store is down.')) },
    })
    await expect(readWith(`${SESSION}=mine.e30`, config)).rejects.toThrow('The key store is down.')
  })

  test('keep the session when decode times out', async () => {
    const hanging = vi.fn(() => new Promise<null>(() => undefined))
    const { config } = passwordConfig({ jwt: { decode: hanging } })
    const answer = browser(config)
    answer.cookies.set(SESSION, 'mine.e30')
    const response = answer.request('session')
    await until(() => hanging.mock.calls.length > 0)
    await pass(10)
    expect((await response).status).toBe(503)
    expect(answer.cookies.get(SESSION)?.value).toBe('mine.e30')
  })

  test.each<[string, () => never]>([
    [
      'throws',
      () => {
        throw new Error('no key')
      },
    ],
    ['returns nothing', (() => undefined) as () => never],
    ['never resolves', (() => new Promise(() => undefined)) as () => never],
  ])('create no session when encode %s', async (_name, bad) => {
    const failing = vi.fn(bad)
    const { config, log } = passwordConfig({ jwt: { encode: failing } })
    const tab = browser(config)
    const csrfToken = await tab.csrfToken()
    const answer = tab.request('callback/password', {
      method: 'POST',
      json: { csrfToken, username: 'ada', password: 'correct horse battery staple' },
    })
    await until(() => failing.mock.calls.length > 0)
    await pass(10)
    expect((await answer).status).toBe(503)
    expect(tab.cookies.get(SESSION)).toBeUndefined()
    expect(log.errors).toHaveLength(1)
  })
})
