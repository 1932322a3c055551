import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isHost, isPrivateHost } from '../../src/core/http/origin.ts'
import { Auth } from '../../src/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import { raw, skipCSRFCheck } from '../../src/core/symbols.ts'
import { browser } from '../../src/testing/index.ts'
import { enter } from '../config.ts'
import { arbitraryRequest, requestOf } from './arbitrary-request.ts'
import type { BrowserState } from './arbitrary-request.ts'
import { ORIGIN, recordingConfig } from './recording-config.ts'

/** Unhandled rejections, which end a Node process. */
const unhandled: unknown[] = []
const note = (reason: unknown) => void unhandled.push(reason)
beforeAll(() => void process.on('unhandledRejection', note))
afterAll(() => void process.off('unhandledRejection', note))

async function signedIn(config: AuthConfig): Promise<BrowserState> {
  const tab = browser(config)
  await tab.begin('plain')
  await enter(tab)
  const csrfToken = await tab.csrfToken()
  return { csrfToken, cookies: tab.cookies.all().map(({ name, value }) => `${name}=${value}`) }
}

const variants: [string, Partial<AuthConfig>][] = [
  ['with the defaults', {}],
  ['with pages of its own', { pages: { signIn: '/in', signOut: '/out', error: '/oops' } }],
  ['without callbacks', { callbacks: {}, events: {} }],
  ['without the CSRF check', { skipCSRFCheck }],
  ['with cookies for http', { useSecureCookies: false }],
]

/** What `trustHost` accepts: the Host header, and behind a private one X-Forwarded-Host. */
function statedHosts({ host, ...headers }: Readonly<Record<string, string>>): string[] {
  if (host === undefined || !isHost(host)) return []
  const forwarded = headers['x-forwarded-host']
  const stated = isPrivateHost(host) && forwarded !== undefined ? [host, forwarded] : [host]
  return stated.filter(isHost).map((each) => new URL(`https://${each}`).host)
}

describe('an arbitrary request', () => {
  test.each(variants)('receives a safe response: %s', async (_what, overrides) => {
    const { config } = recordingConfig(overrides)
    const state = await signedIn(recordingConfig().config)
    await fc.assert(
      fc.asyncProperty(arbitraryRequest(state), async (parts) => {
        const response = await Auth(requestOf(parts), config)
        expect(response).toBeInstanceOf(Response)
        // 500 means a bug or an invalid configuration: no request may cause it.
        expect(response.status).not.toBe(500)
        expect(response.headers.get('cache-control')).toBe('private, no-store')
        expect(response.headers.get('x-content-type-options')).toBe('nosniff')
        expect([...response.headers.keys()].join()).not.toContain('access-control')
        for (const cookie of response.headers.getSetCookie())
          expect(cookie.length).toBeLessThanOrEqual(4096)
        const location = response.headers.get('location')
        if (location !== null) {
          const { host } = new URL(location, ORIGIN)
          expect(['app.test', 'plain.test', ...statedHosts(parts.headers)]).toContain(host)
        }
        const html = response.headers.get('content-type')?.startsWith('text/html')
        if (html) expect(await response.text()).not.toContain('<script')
      }),
      { numRuns: 400 },
    )
    await new Promise((resolve) => setImmediate(resolve))
    expect(unhandled).toEqual([])
  })

  test('reaches every kind of response and every callback', async () => {
    const { config, calls } = recordingConfig({ skipCSRFCheck })
    const state = await signedIn(recordingConfig().config)
    const statuses = new Set<number>()
    for (const parts of fc.sample(arbitraryRequest(state), { numRuns: 1500, seed: 1 }))
      statuses.add((await Auth(requestOf(parts), config)).status)
    for (const status of [200, 302, 400, 401, 404, 405, 413, 415])
      expect(statuses).toContain(status)
    for (const call of ['authorize', 'callback session', 'callback signIn', 'event signOut'])
      expect(calls).toContain(call)
  })

  test('gives a wrapper the parts of a response, or a typed error', async () => {
    const { config } = recordingConfig()
    const state = await signedIn(config)
    const inParts = { ...config, raw } as AuthConfig & { raw: typeof raw }
    await fc.assert(
      fc.asyncProperty(arbitraryRequest(state), async (parts) => {
        const outcome = await Auth(requestOf(parts), inParts).catch((error: unknown) => error)
        if (outcome instanceof Error) expect(outcome).toHaveProperty('type')
        else
          expect(outcome).toMatchObject({
            status: expect.any(Number),
            headers: expect.any(Headers),
          })
      }),
      { numRuns: 300 },
    )
  })
})
