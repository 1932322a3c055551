import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Auth } from '../../src/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import { browser } from '../../src/testing/index.ts'
import { passwordConfig, TYPED } from '../config.ts'
import { stopClock, until } from '../sessions.ts'
import { errorOf, ORIGIN, send, recordingConfig } from './recording-config.ts'

const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'

/** A POST of credentials that must be rejected before `authorize` is called. */
function post(config: AuthConfig, type: string | undefined, body: BodyInit): Promise<Response> {
  return send(config, '/auth/callback/password', {
    method: 'POST',
    headers: { accept: 'application/json', ...(type !== undefined && { 'content-type': type }) },
    body,
  })
}

/** A streamed body without Content-Length. */
function streamed(source: UnderlyingDefaultSource<Uint8Array>, type = FORM): Request {
  const body = new ReadableStream(source)
  const init = { method: 'POST', headers: { 'content-type': type }, body, duplex: 'half' }
  return new Request(`${ORIGIN}/auth/callback/password`, init)
}

function fields(count: number): string {
  return Array.from({ length: count }, (_, index) => `f${index}=x`).join('&')
}

const bytes = (length: number) => new Uint8Array(length).fill(0x61)

describe('an invalid body', () => {
  test.each<[string, string | undefined, BodyInit, number]>([
    ['malformed JSON', JSON_TYPE, '{"username":', 400],
    ['empty JSON', JSON_TYPE, '', 400],
    ['JSON null', JSON_TYPE, 'null', 400],
    ['a JSON list', JSON_TYPE, '[]', 400],
    ['a JSON text', JSON_TYPE, '"x"', 400],
    ['a JSON number', JSON_TYPE, '1', 400],
    ['a JSON boolean', JSON_TYPE, 'true', 400],
    ['JSON as text/plain', 'text/plain; application/json', '{}', 415],
    ['a form as text/plain', `text/plain; ${FORM}`, 'a=1', 415],
    ['another kind of JSON', 'application/json-patch+json', '{}', 415],
    ['a multipart form', 'multipart/form-data; boundary=x', '--x--', 415],
    ['plain text', 'text/plain', 'a=1', 415],
    ['an unknown type', 'application/x-unknown', 'a=1', 415],
    ['no type', undefined, bytes(3), 415],
    ['a body of 64 KiB and one byte', FORM, bytes(64 * 1024 + 1), 413],
    ['too much JSON', JSON_TYPE, `{"a":"${'x'.repeat(64 * 1024)}"}`, 413],
    ['too much of no type', undefined, bytes(64 * 1024 + 1), 413],
    ['fifty-one fields', FORM, fields(51), 413],
    [
      'fifty-one members',
      JSON_TYPE,
      JSON.stringify(Object.fromEntries(new URLSearchParams(fields(51)))),
      413,
    ],
    ['a field data of more than 32 KiB', FORM, `data=${'x'.repeat(32 * 1024 + 1)}`, 413],
    ['a field of more than 8 KiB', FORM, `a=${'x'.repeat(8193)}`, 413],
    ['a field of fewer characters and more bytes', FORM, `a=${'€'.repeat(2731)}`, 413],
    ['a member of more than 8 KiB', JSON_TYPE, JSON.stringify({ a: 'x'.repeat(8193) }), 413],
    ['a password of more than 4 KiB', FORM, `password=${'x'.repeat(4097)}`, 413],
    ['a new password of more than 4 KiB', FORM, `newPassword=${'x'.repeat(4097)}`, 413],
    ['JSON nested 200,000 deep', JSON_TYPE, '['.repeat(200_000), 413],
    ['JSON nested as deep as fits', JSON_TYPE, `${'['.repeat(30_000)}${']'.repeat(30_000)}`, 400],
    [
      'a member nested as deep as fits',
      JSON_TYPE,
      `{"a":${'{"a":'.repeat(9000)}1${'}'.repeat(9001)}`,
      400,
    ],
    ['a member nested nine deep', JSON_TYPE, `{"a":${'['.repeat(8)}1${']'.repeat(8)}}`, 400],
    ['the key __proto__', JSON_TYPE, '{"__proto__":{"isAdmin":true}}', 400],
    ['the key constructor', JSON_TYPE, '{"constructor":{"prototype":{"isAdmin":true}}}', 400],
    ['the key prototype deep inside', JSON_TYPE, '{"a":[{"b":{"prototype":{}}}]}', 400],
    ['the field __proto__', FORM, '__proto__=1', 400],
    ['the field constructor', FORM, 'constructor=1', 400],
    ...['code', 'state', 'iss', 'error', 'email', 'token', 'csrfToken', 'callbackUrl'].map(
      (name): [string, string, string, number] => [
        `${name} twice`,
        FORM,
        `${name}=1&${name}=2`,
        400,
      ],
    ),
  ])('is rejected: %s', async (_what, type, body, status) => {
    const { config, calls } = recordingConfig()
    const started = process.cpuUsage()
    const response = await post(config, type, body)
    expect(response.status).toBe(status)
    expect(process.cpuUsage(started).user).toBeLessThan(500_000)
    expect(await errorOf(response)).toMatch(/Invalid|TooLarge|Unsupported/)
    expect(response.headers.getSetCookie()).toEqual([])
    expect(calls).toEqual([])
  })

  test.each(['code', 'state', 'iss', 'error', 'email', 'token', 'csrfToken', 'callbackUrl'])(
    'is rejected, as is a query, if it repeats %s',
    async (name) => {
      const { config, calls } = recordingConfig()
      const headers = { accept: 'application/json' }
      for (const route of ['signin', 'callback/op', 'session']) {
        const response = await send(config, `/auth/${route}?${name}=1&${name}=2`, { headers })
        expect(response.status).toBe(400)
      }
      expect(calls).toEqual([])
    },
  )

  test('is not read beyond its limit', async () => {
    const { config, calls } = recordingConfig()
    let sent = 0
    let reason: unknown = 'still listening'
    const request = streamed({
      pull(controller) {
        sent += 4096
        controller.enqueue(bytes(4096))
      },
      cancel(given) {
        reason = given
      },
    })
    expect((await Auth(request, config)).status).toBe(413)
    expect(reason).toBeUndefined()
    expect(sent).toBeLessThan(80 * 1024)
    expect(calls).toEqual([])
  })

  test('is rejected by its Content-Length before it is read', async () => {
    const { config } = recordingConfig()
    let sent = 0
    const body = new ReadableStream({ pull: () => void sent++ }, { highWaterMark: 0 })
    const headers = { 'content-type': FORM, 'content-length': String(64 * 1024 + 1) }
    const init = { method: 'POST', headers, body, duplex: 'half' }
    const request = new Request(`${ORIGIN}/auth/callback/password`, init)
    expect((await Auth(request, config)).status).toBe(413)
    expect(sent).toBe(0)
  })

  test.each<[string, UnderlyingDefaultSource]>([
    ['is aborted', { pull: (controller) => controller.error(new TypeError('terminated')) }],
    ['is not made of bytes', { pull: (controller) => controller.enqueue('text') }],
  ])('is rejected when it %s', async (_what, source) => {
    const { config, log } = recordingConfig()
    expect((await Auth(streamed(source), config)).status).toBe(400)
    expect(log.errors).toMatchObject([{ type: 'InvalidRequest' }])
  })

  test('is rejected if it was consumed or is locked', async () => {
    const { config } = recordingConfig()
    const init = { method: 'POST', body: new URLSearchParams('a=1') }
    const used = new Request(`${ORIGIN}/auth/signin/op`, init)
    await used.text()
    const locked = new Request(`${ORIGIN}/auth/signin/op`, init)
    locked.body?.getReader()
    expect((await Auth(used, config)).status).toBe(400)
    expect((await Auth(locked, config)).status).toBe(400)
  })
})

describe('a body that never ends', () => {
  beforeEach(stopClock)
  afterEach(() => void vi.useRealTimers())

  test.each([
    ['silent', 0],
    ['dripping', 900],
  ])('is rejected with 408 after ten seconds (%s)', async (_how, pause) => {
    const { config, calls, log } = recordingConfig()
    let cancelled = 0
    const request = streamed({
      async pull(controller) {
        await new Promise((resolve) => pause && setTimeout(resolve, pause))
        controller.enqueue(bytes(1))
      },
      cancel: () => void cancelled++,
    })
    let response: Response | undefined
    const answer = Auth(request, config).then((given) => (response = given))
    await until(() => request.bodyUsed)
    await vi.advanceTimersByTimeAsync(9_990)
    expect(response).toBeUndefined()
    await vi.advanceTimersByTimeAsync(20)
    expect(response?.status).toBe(408)
    expect(await errorOf(await answer)).toBe('RequestTimeout')
    expect(cancelled).toBe(1)
    expect(calls).toEqual([])
    expect(log.errors).toMatchObject([{ type: 'RequestTimeout' }])
  })
})

describe('credentials', () => {
  test.each<[string, unknown]>([
    ['an object', { $ne: null }],
    ['a list', ['x']],
    ['a number', 1],
    ['a boolean', true],
    ['null', null],
  ])('are strings: %s is rejected', async (_what, password) => {
    const { config, calls } = recordingConfig()
    const tab = browser(config)
    const json = { csrfToken: await tab.csrfToken(), username: 'ada', password }
    expect((await tab.request('callback/password', { method: 'POST', json })).status).toBe(400)
    expect(calls).toEqual([])
  })

  test('are JSON values with jsonValues: true, without prototype pollution', async () => {
    const received: Record<string, unknown>[] = []
    const { config } = passwordConfig(
      {},
      {
        jsonValues: true,
        authorize: (credentials) => {
          received.push(credentials)
          return null
        },
      },
    )
    const tab = browser(config)
    const json = { csrfToken: await tab.csrfToken(), codes: [1, 2], isAdmin: undefined }
    expect((await tab.request('callback/password', { method: 'POST', json })).status).toBe(401)
    expect(received).toEqual([{ codes: [1, 2] }])
    expect(Object.assign({}, received[0])).not.toHaveProperty('isAdmin')
  })

  test.each([
    ['a form', FORM, (values: Record<string, string>) => new URLSearchParams(values).toString()],
    ['JSON', JSON_TYPE, (values: Record<string, string>) => JSON.stringify(values)],
    ['JSON with a charset', 'Application/JSON ; charset=UTF-8', JSON.stringify],
  ])('sign in when they are sent as %s', async (_what, type, encode) => {
    const { config } = passwordConfig()
    const tab = browser(config)
    const token = await tab.csrfToken()
    const cookie = tab.cookies.all().map(({ name, value }) => `${name}=${value}`)
    const response = await send(config, '/auth/callback/password', {
      method: 'POST',
      headers: { 'content-type': type, cookie: cookie.join('; ') },
      body: encode({ ...TYPED, csrfToken: token, much: 'x'.repeat(8192) }),
    })
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toBe(ORIGIN)
  })
})
