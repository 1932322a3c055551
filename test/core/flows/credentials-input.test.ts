import { describe, expect, test, vi } from 'vitest'
import type { CredentialsConfig } from '../../../src/core/config/credentials.ts'
import { browser } from '../../../src/testing/index.ts'
import type { BrowserRequest } from '../../../src/testing/index.ts'
import { passwordConfig, TYPED } from '../../config.ts'

/** Sends a body, and returns the arguments of authorize. */
async function send(
  body: Pick<BrowserRequest, 'form' | 'json' | 'headers'>,
  provider: Partial<CredentialsConfig> = {},
) {
  const authorize = vi.fn<NonNullable<CredentialsConfig['authorize']>>(() => ({ id: '1' }))
  const signIn = vi.fn(() => true)
  const { config } = passwordConfig({ callbacks: { signIn } }, { authorize, ...provider })
  const tab = browser(config)
  const csrfToken = await tab.csrfToken()
  const response = await tab.request('callback/password', {
    method: 'POST',
    ...(body.json !== undefined && { json: { csrfToken, ...(body.json as object) } }),
    ...(body.form && { form: { csrfToken, ...(body.form as Record<string, string>) } }),
    ...(body.headers && { headers: body.headers }),
  })
  const [credentials, request] = authorize.mock.lastCall ?? []
  return { response, authorize, signIn, credentials, request, csrfToken }
}

const ways: [string, Pick<BrowserRequest, 'form' | 'json'>][] = [
  ['a form', { form: { ...TYPED, callbackUrl: '/x' } }],
  ['JSON', { json: { ...TYPED, callbackUrl: '/x' } }],
]

describe.each(ways)('credentials sent as %s', (_name, body) => {
  test('reach authorize and the signIn callback without the fields of the library', async () => {
    const { credentials, signIn } = await send(body)
    expect(credentials).toEqual(TYPED)
    expect(signIn).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ credentials: TYPED }))
  })

  test('can be read again from the request', async () => {
    const { request, csrfToken } = await send(body)
    const sent = { csrfToken, ...TYPED, callbackUrl: '/x' }
    expect(request?.url).toBe('https://app.test/auth/callback/password')
    expect(request?.method).toBe('POST')
    const again = request?.clone()
    const text = (await request?.text()) ?? ''
    const read = body.json ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text))
    expect(read).toEqual(sent)
    expect(
      body.json ? await again?.json() : Object.fromEntries((await again?.formData()) ?? []),
    ).toEqual(sent)
  })

  test('are passed with the headers of the request, except those of the original body', async () => {
    const { request } = await send({
      ...body,
      headers: { 'x-forwarded-for': '192.0.2.1', 'content-length': '999' },
    })
    expect(request?.headers.get('x-forwarded-for')).toBe('192.0.2.1')
    expect(request?.headers.get('cookie')).toContain('csrf-token')
    expect(request?.headers.has('content-length')).toBe(false)
  })
})

describe('credentials that are not strings', () => {
  test.each([
    ['an object', { password: { $ne: null } }],
    ['a list', { password: ['a', 'b'] }],
    ['a number', { password: 1 }],
    ['true', { password: true }],
    ['null', { password: null }],
  ])('are rejected before authorize: %s', async (_name, json) => {
    const { response, authorize } = await send({ json })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: 'InvalidRequest' })
    expect(authorize).not.toHaveBeenCalled()
  })

  test('are dropped if they are the options redirect and json of a client', async () => {
    const json = { ...TYPED, redirect: false, json: true }
    const { credentials, signIn, response } = await send({ json })
    expect(response.status).toBe(302)
    expect(credentials).toEqual(TYPED)
    expect(signIn).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ credentials: TYPED }))
  })

  test.each([{ redirect: {} }, { redirect: 0 }, { redirect: null }, { json: [true] }])(
    'are rejected under the names of these options, unless they are true or false: %j',
    async (json) => {
      const { response, authorize } = await send({ json: { ...TYPED, ...json } })
      expect(response.status).toBe(400)
      expect(authorize).not.toHaveBeenCalled()
    },
  )

  test('reach authorize with jsonValues', async () => {
    const json = { name: 'ada', devices: [{ id: 1 }], trusted: true }
    const { credentials, response } = await send({ json }, { jsonValues: true })
    expect(response.status).toBe(302)
    expect(credentials).toEqual(json)
  })
})

describe('a password', () => {
  test('of 4096 characters is not truncated', async () => {
    const password = 'p'.repeat(4096)
    const { credentials } = await send({ form: { username: 'ada', password } })
    expect(credentials?.['password']).toBe(password)
  })

  test('of 4097 characters is rejected', async () => {
    const { response, authorize } = await send({ json: { password: 'p'.repeat(4097) } })
    expect(response.status).toBe(413)
    expect(authorize).not.toHaveBeenCalled()
  })

  test('keeps its spaces and special characters', async () => {
    const password = '  pässwörd 密码 + & = % '
    const { credentials } = await send({ form: { username: 'ada', password } })
    expect(credentials?.['password']).toBe(password)
  })
})

test('a form without fields reaches authorize as an empty object', async () => {
  const { credentials, response } = await send({ form: {} })
  expect(credentials).toEqual({})
  expect(response.status).toBe(302)
})
