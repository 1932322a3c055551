import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { MissingSecretError, SessionUnavailable, UntrustedHost } from '../../../src/errors.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { getSession } from '../../../src/index.ts'
import { browser } from '../../../src/testing/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { enter, passwordConfig, SECRET } from '../../config.ts'
import { DAY, pass, readWith, cookieFor, SESSION, stopClock, cookiesSetBy } from '../../sessions.ts'

beforeEach(stopClock)
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

function cookiesOf(tab: Browser): string {
  return tab.cookies.header({
    url: new URL(tab.origin),
    method: 'GET',
    initiator: 'same-site',
  })
}

describe('getSession', () => {
  test.each<[string, Partial<AuthConfig>]>([
    ['by default', {}],
    ['with callbacks', { callbacks: { session: ({ session }) => ({ ...session, more: true }) } }],
    [
      'when the callback ends it',
      { callbacks: { jwt: ({ trigger, token }) => (trigger ? token : null) } },
    ],
    ['when it is extended', { session: { updateAge: 0 } }],
  ])('returns the session and the cookies of the route: %s', async (_name, overrides) => {
    const { config } = passwordConfig(overrides)
    const tab = browser(config)
    await enter(tab)
    const direct = await readWith(cookiesOf(tab), config)
    const response = await tab.request('session')
    expect(direct.session).toEqual(await response.json())
    expect(cookiesSetBy(direct)).toEqual(cookiesSetBy(response))
  })

  test('sets no header when nothing has changed', async () => {
    const { config } = passwordConfig()
    const { session, headers } = await readWith(await cookieFor({ name: 'Ada Lovelace' }), config)
    expect(session?.user?.name).toBe('Ada Lovelace')
    expect([...headers]).toEqual([])
  })

  test('sets the cookie of an extended session, and a browser accepts it', async () => {
    const { config } = passwordConfig()
    const tab = browser(config)
    await enter(tab)
    const before = tab.cookies.get(SESSION)?.value
    await pass(DAY)
    const { headers } = await readWith(cookiesOf(tab), config)
    expect(headers.get('cache-control')).toBe('private, no-store')
    for (const cookie of headers.getSetCookie()) tab.cookies.accept(cookie, new URL(tab.origin))
    expect(tab.cookies.get(SESSION)?.value).not.toBe(before)
    expect(await tab.session()).not.toBeNull()
  })

  test('reads the session of an http site', async () => {
    const { config } = passwordConfig()
    const name = 'lib.session-token'
    const cookie = await cookieFor({ name: 'Ada Lovelace' }, { salt: name })
    const headers = new Headers({ cookie, host: 'localhost:3000' })
    expect((await getSession(headers, config)).session?.user?.name).toBe('Ada Lovelace')
  })

  test('calls the session event', async () => {
    const session = vi.fn()
    const { config } = passwordConfig({ events: { session } })
    const result = await readWith(await cookieFor({ sub: '1' }), config)
    expect(session).toHaveBeenCalledExactlyOnceWith({
      session: result.session,
      token: expect.objectContaining({ sub: '1' }),
    })
  })

  test('rejects when the session lookup fails', async () => {
    const { config, log } = passwordConfig({
      callbacks: {
        session() {
          throw new Error('The database is down.')
        },
      },
    })
    const reading = readWith(await cookieFor({ sub: '1' }), config)
    await expect(reading).rejects.toThrow(SessionUnavailable)
    await expect(reading).rejects.toMatchObject({
      cause: { err: { message: 'The database is down.' } },
    })
    expect(log.errors).toHaveLength(1)
  })
})

describe.each<[string, Partial<AuthConfig>, abstract new () => Error]>([
  ['UntrustedHost', { trustHost: false }, UntrustedHost],
  ['MissingSecretError', { secret: undefined }, MissingSecretError],
])('%s', (type, overrides, expected) => {
  test('is thrown, and logged once per minute', async () => {
    const { config, log } = passwordConfig(overrides)
    for (let tries = 0; tries < 3; tries += 1)
      await expect(readWith('', config)).rejects.toThrow(expected)
    expect(log.errors).toMatchObject([{ type }])
    await pass(59)
    await expect(readWith('', config)).rejects.toThrow(expected)
    expect(log.errors).toHaveLength(1)
    await pass(1)
    await expect(readWith('', config)).rejects.toThrow(expected)
    expect(log.errors).toHaveLength(2)
  })

  test('is logged once for a site that creates its configuration for each request', async () => {
    const { config, log } = passwordConfig(overrides)
    for (let tries = 0; tries < 3; tries += 1)
      await expect(readWith('', { ...config })).rejects.toThrow(expected)
    expect(log.errors).toHaveLength(1)
  })

  test('is logged once for getSession and a request to the route', async () => {
    const { config, log } = passwordConfig(overrides)
    await expect(readWith('', config)).rejects.toThrow(expected)
    await browser(config).request('session')
    expect(log.errors).toHaveLength(1)
  })
})

test('the message about an untrusted host names it, its source, and what to set', async () => {
  const { config } = passwordConfig({ trustHost: false })
  await expect(readWith('', config)).rejects.toThrow(
    /^The host "app\.test" \(from the Host header\) is not trusted\. Set AUTH_URL .*trustedHosts: \["app\.test"\].*trustHost: true/,
  )
})

test.each([
  ['trustHost', { trustHost: true }],
  ['trustedHosts', { trustHost: false, trustedHosts: ['*.test'] }],
  ['origin', { trustHost: false, origin: 'https://app.test' }],
])('%s makes getSession trust the host', async (_name, overrides) => {
  const { config } = passwordConfig(overrides)
  const { session } = await readWith(
    await cookieFor({ name: 'Ada Lovelace' }, { secret: SECRET }),
    config,
  )
  expect(session?.user?.name).toBe('Ada Lovelace')
})
