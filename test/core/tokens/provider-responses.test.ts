/** What a provider may answer to a refresh, and what is then stored. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { getAccessToken } from '../../../src/index.ts'
import type { AccessTokenOptions, AuditEvent, AuthConfig } from '../../../src/index.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import type { Values } from '../../../src/testing/index.ts'
import { configFor, oidc } from '../../config.ts'
import { dump, forEachPlace, settingsFor } from './places.ts'
import type { Place } from './places.ts'

afterEach(() => vi.useRealTimers())

const inOneHour = () => new Date(Date.now() + 3_600_000).toUTCString()

type Answer = (refreshed: Values) => Response | Promise<Response>

/** A user who is signed in; `answer` changes the responses of the provider to a refresh. */
async function openIn(place: Place, answer: Answer, tokens: AuthConfig['tokens'] = {}) {
  const op = await issuer({ algorithm: 'ES256', refreshTokens: 'kept', accessTokenLifetime: 600 })
  const adapter = await place.openAdapter()
  let isRefresh = false
  let sent = 0
  const events: unknown[] = []
  const audited: AuditEvent[] = []
  const settings = settingsFor(place, adapter)
  const { config: complete, log } = configFor(op, {
    providers: [oidc(op)],
    events: { tokenRefreshFailed: (message) => void events.push(message) },
    audit: { write: (event) => void audited.push(event) },
    async fetch(input, init) {
      const response = await op.fetch(input, init)
      const isSent = init?.body instanceof URLSearchParams && init.body.has('refresh_token')
      if (!isRefresh || !isSent) return response
      sent++
      return answer(await response.json())
    },
    ...settings,
    tokens: { ...settings.tokens, ...tokens },
  })
  const tab = browser(complete, { issuer: op })
  await tab.signIn('op')
  isRefresh = true
  const url = new URL('https://app.test/')
  const read = async (given?: AccessTokenOptions) => {
    const cookie = tab.cookies.header({ url, method: 'GET', initiator: 'same-site' }) ?? ''
    const request = new Request(url, { headers: { cookie, host: 'app.test' } })
    const { value, headers } = await getAccessToken(request, complete, 'op', given)
    for (const each of headers.getSetCookie()) tab.cookies.accept(each, url)
    return value
  }
  const bytes = () => dump(adapter)
  const before = await bytes()
  return { op, tab, log, events, audited, read, bytes, before, sent: () => sent, adapter }
}

function pass(seconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 })
}

const refusal =
  (status: number, body: unknown, headers = {}) =>
  () =>
    typeof body === 'string'
      ? new Response(body, { status, headers })
      : Response.json(body, { status, headers })

const now = () => Math.floor(Date.now() / 1000)

await forEachPlace((place) => {
  const open = (answer: Answer, tokens?: AuthConfig['tokens']) => openIn(place, answer, tokens)
  describe('the provider does not refresh, and everything is kept', () => {
    test.each<[string, Answer, type: 'warn' | 'error', pause: number]>([
      ['500', refusal(500, 'Internal error'), 'warn', 30],
      ['503 with a web page', refusal(503, '<h1>Maintenance</h1>'), 'warn', 30],
      ['429', refusal(429, {}), 'warn', 30],
      ['429 with Retry-After', refusal(429, {}, { 'retry-after': '120' }), 'warn', 120],
      [
        '503 with a date as Retry-After',
        refusal(503, {}, { 'retry-after': inOneHour() }),
        'warn',
        900,
      ],
      [
        '429 with Retry-After of years',
        refusal(429, {}, { 'retry-after': '99999999' }),
        'warn',
        900,
      ],
      [
        '429 with Retry-After of 400 digits',
        refusal(429, {}, { 'retry-after': '9'.repeat(400) }),
        'warn',
        30,
      ],
      ['429 with a negative Retry-After', refusal(429, {}, { 'retry-after': '-5' }), 'warn', 1],
      ['429 with text as Retry-After', refusal(429, {}, { 'retry-after': 'soon' }), 'warn', 30],
      [
        '429 with a past date',
        refusal(429, {}, { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }),
        'warn',
        1,
      ],
      ['a redirect', refusal(302, '', { location: 'https://other.test/' }), 'warn', 30],
      ['200 with an empty body', refusal(200, ''), 'warn', 30],
      ['200 with an array', refusal(200, []), 'warn', 30],
      ['200 with a web page', refusal(200, '<h1>Sign in</h1>'), 'warn', 30],
      ['200 without an access token', refusal(200, { token_type: 'bearer' }), 'warn', 30],
      ['temporarily_unavailable', refusal(400, { error: 'temporarily_unavailable' }), 'warn', 30],
      ['invalid_client', refusal(401, { error: 'invalid_client' }), 'error', 30],
      ['unauthorized_client', refusal(400, { error: 'unauthorized_client' }), 'error', 30],
      ['a lost connection', () => Promise.reject(new TypeError('fetch failed')), 'warn', 30],
    ])('after %s', async (_name, answer, level, pause) => {
      const { log, read, bytes, before, sent } = await open(answer)
      pass(570)
      // Still valid.
      expect((await read()).accessToken).toMatch(/^[\da-f-]{36}$/)
      pass(40)
      const failure = { type: 'AccessTokenUnavailable', status: 503 }
      if (pause > 40) {
        await expect(read()).rejects.toMatchObject(failure)
        expect(sent()).toBe(1)
        pass(pause)
      }
      await expect(read()).rejects.toMatchObject(failure)
      await expect(read()).rejects.toMatchObject(failure)
      expect(sent()).toBe(2)
      expect(await bytes()).toBe(before)
      const types = log.errors.map((error) => 'type' in error && error.type)
      expect(types.includes('OAuthCallbackError')).toBe(level === 'error')
    })
  })

  describe('the provider refreshes', () => {
    const refreshed = (change: (body: Values) => Values) => (body: Values) =>
      Response.json(change(body))

    test('and omits what has not changed', async () => {
      const { read } = await open(
        refreshed(({ access_token, token_type, expires_in }) => ({
          access_token,
          token_type,
          expires_in,
        })),
      )
      const before = await read()
      pass(600)
      const after = await read()
      expect(after).toMatchObject({ scope: before.scope, idToken: before.idToken })
      expect(after.accessToken).not.toBe(before.accessToken)
      pass(600)
      expect((await read()).expiresAt?.getTime()).toBeGreaterThan(Date.now())
    })

    test('without a lifetime: the token is valid until an API rejects it', async () => {
      const { read, sent } = await open(refreshed(({ expires_in: _omitted, ...body }) => body))
      pass(600)
      const token = await read()
      expect(token.expiresAt).toBeNull()
      pass(1_000_000)
      expect(await read()).toEqual(token)
      await read({ refresh: 'now' })
      expect(sent()).toBe(2)
    })

    test.each([-1, 0, 'soon', '', true, {}, -1e300])(
      'with the lifetime %j, which is none',
      async (expires_in) => {
        const { read, sent } = await open(refreshed((body) => ({ ...body, expires_in })))
        pass(600)
        const token = await read()
        expect(token.expiresAt).toBeNull()
        expect(await read()).toEqual(token)
        expect(sent()).toBe(1)
      },
    )

    test.each([1e15, 1e300, '3600', 3600.5])(
      'with a lifetime of %j seconds',
      async (expires_in) => {
        const { read } = await open(refreshed((body) => ({ ...body, expires_in })))
        pass(600)
        const { expiresAt } = await read()
        const years = ((expiresAt?.getTime() ?? NaN) - Date.now()) / (365 * 24 * 3_600_000)
        expect(years).toBeGreaterThan(0)
        expect(years).toBeLessThanOrEqual(10.001)
      },
    )

    test('with fewer scopes', async () => {
      const { read } = await open(refreshed((body) => ({ ...body, scope: 'openid' })))
      pass(600)
      await expect(read({ scope: ['email'] })).rejects.toMatchObject({ missing: ['email'] })
    })

    test('with tokens of 10 kB', async () => {
      const long = 'a'.repeat(10_000)
      const { read } = await open(
        refreshed((body) => ({ ...body, access_token: long, id_token: undefined })),
      )
      pass(600)
      expect((await read()).accessToken).toBe(long)
      expect((await read()).accessToken).toBe(long)
    })

    test('with an ID token of another user: the response is rejected', async () => {
      const { op, read, bytes, before } = await open(async (body) => {
        const claims = {
          iss: op.url,
          aud: op.clientId,
          sub: 'mallory',
          iat: now(),
          exp: now() + 60,
        }
        return Response.json({ ...body, id_token: await op.sign(claims) })
      })
      pass(600)
      await expect(read()).rejects.toMatchObject({ type: 'AccessTokenUnavailable' })
      expect(await bytes()).toBe(before)
    })

    test('with an ID token of another issuer: the response is rejected', async () => {
      const { op, read, bytes, before } = await open(async (body) => {
        const claims = {
          iss: 'https://other.test',
          aud: op.clientId,
          sub: 'ada',
          iat: now(),
          exp: now() + 60,
        }
        return Response.json({ ...body, id_token: await op.sign(claims) })
      })
      pass(600)
      await expect(read()).rejects.toMatchObject({ type: 'AccessTokenUnavailable' })
      expect(await bytes()).toBe(before)
    })
  })

  describe('the grant is lost', () => {
    const revoked = refusal(400, { error: 'invalid_grant' })

    /** Until the refusal is final: another process may have refreshed, whose cookie has not arrived. */
    async function lose({ read, sent }: Awaited<ReturnType<typeof open>>): Promise<unknown> {
      pass(600)
      if (place.where === 'cookie') {
        await expect(read()).rejects.toMatchObject({ type: 'AccessTokenUnavailable' })
        pass(61)
      }
      const errors = await Promise.all(
        Array.from({ length: 10 }, () => read().catch((error: unknown) => error)),
      )
      expect(sent()).toBe(1)
      return errors[0]
    }

    test('the tokens are deleted, and the application is told once', async () => {
      const site = await open(revoked, { onLostGrant: 'keep' })
      const { read, bytes, events, audited, sent, tab } = site
      expect(await lose(site)).toMatchObject({ code: 'reconnect', cause: { provider: 'op' } })
      if (place.where === 'account') expect(await bytes()).not.toContain('lib1.')
      if (place.where === 'store') expect(await bytes()).not.toContain('"tokens:')
      const code = place.where === 'store' ? 'not_connected' : 'reconnect'
      await expect(read()).rejects.toMatchObject({ code })
      expect(sent()).toBe(1)
      expect(events).toEqual([{ userId: expect.any(String), provider: 'op', reason: 'reconnect' }])
      expect(audited.filter(({ type }) => type === 'token.lost')).toEqual([
        expect.objectContaining({
          outcome: 'failure',
          actor: { kind: 'application' },
          target: { kind: 'account', id: 'ada' },
          provider: 'op',
          sid: expect.stringMatching(/^[\w-]{22}$/),
        }),
      ])
      expect(await tab.session()).not.toBeNull()
    })

    test('by default, a session ends that began with the grant', async () => {
      const site = await open(revoked)
      await lose(site)
      const isEnded = place.where !== 'account' && place.strategy === 'database'
      expect((await site.tab.session()) === null).toBe(isEnded)
    })

    test('with onLostGrant: end, a session ends that can be revoked', async () => {
      const site = await open(revoked, { onLostGrant: 'end' })
      await lose(site)
      expect((await site.tab.session()) === null).toBe(place.strategy === 'database')
    })

    test('also if the provider says so with status 401', async () => {
      const site = await open(refusal(401, { error: 'invalid_grant' }), { onLostGrant: 'keep' })
      expect(await lose(site)).toMatchObject({ code: 'reconnect' })
    })

    test('connecting again makes the tokens valid again', async () => {
      const site = await open(revoked, { onLostGrant: 'keep' })
      await lose(site)
      await site.tab.signIn('op')
      expect((await site.read()).accessToken).toMatch(/^[\da-f-]{36}$/)
    })
  })
})
