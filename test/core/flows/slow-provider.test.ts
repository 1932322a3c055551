/** Slow providers and application functions, each below its own timeout: the request ends at its deadline. */
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { issuer } from '../../../src/testing/index.ts'
import type { Fetch } from '../../../src/core/types.ts'
import { site } from '../../oauth.ts'
import type { Site, SiteOptions } from '../../oauth.ts'
import { pass, stopClock, until } from '../../sessions.ts'

const op = await issuer()

// Loads the modules of the first sign-in before the clock stops.
beforeAll(async () => void (await site(op).tab.signIn('op')))

beforeEach(() => {
  op.reset()
  stopClock()
})
afterEach(() => void vi.useRealTimers())

/** Number of waits of the provider and the application that have not ended. */
let waits = 0

async function later<T>(seconds: number, value: () => T): Promise<T> {
  waits++
  await new Promise<void>((resolve) => void setTimeout(resolve, seconds * 1000))
  waits--
  return value()
}

/** Requests that take three of the allowed five seconds. */
const slowFetch: Fetch = async (input, init) => {
  const response = await op.fetch(input, init)
  return later(3, () => response)
}

/** The response, which must arrive within 15 seconds. The clock stands still during work such as cryptography. */
async function inTime(work: Promise<Response>): Promise<Response> {
  let isDone = false
  void work.finally(() => (isDone = true))
  waits = 0
  for (let seconds = 0; seconds < 15; seconds++) {
    await until(() => isDone || waits > 0)
    if (!isDone) await pass(1)
  }
  return work
}

/** Completes a sign-in at a provider that responds slowly from now on. */
async function completeSlowly(
  options: SiteOptions,
): Promise<Site & { readonly response: Response }> {
  let fetch: Fetch = op.fetch
  const on = site(op, {
    ...options,
    config: { ...options.config, fetch: (input, init) => fetch(input, init) },
  })
  const transaction = await on.tab.begin('op')
  const answer = await op.authorize(transaction.url)
  fetch = slowFetch
  return { ...on, response: await inTime(transaction.comeBack(answer)) }
}

const types = ({ log }: Site) => log.errors.map((error) => Reflect.get(error, 'type'))

describe('a sign-in whose steps take more than 15 seconds in total times out', () => {
  test.each<[string, SiteOptions]>([
    ['the keys', { provider: { token: { conform: () => later(9.5, () => undefined) } } }],
    [
      'the userinfo endpoint',
      { provider: { idToken: false, token: { conform: () => later(8, () => undefined) } } },
    ],
    [
      'userinfo.request',
      {
        provider: { idToken: false, userinfo: { request: () => later(9.5, () => ({ sub: '1' })) } },
      },
    ],
    [
      'requests of userinfo.request',
      {
        provider: {
          idToken: false,
          userinfo: {
            async request({ provider }) {
              for (let count = 0; count < 4; count++) await provider.fetch(`${op.url}/userinfo`)
              return { sub: '1' }
            },
          },
        },
      },
    ],
    ['profile', { provider: { profile: () => later(9.5, () => ({ id: '1' })) } }],
  ])('%s', async (what, options) => {
    const on = await completeSlowly(options)
    expect(types(on)).toEqual([
      what === 'profile' ? 'OAuthProfileParseError' : 'TemporarilyUnavailable',
    ])
    expect(on.response.status).toBeGreaterThan(300)
    expect(on.tab.cookies.all().filter(({ name }) => name.includes('session-token'))).toEqual([])
    expect(on.signedIn).toEqual([])
  })
})
