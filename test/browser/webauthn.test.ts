import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { register, signIn } from '../../src/browser/webauthn/index.ts'
import {
  answer,
  bytes,
  closePage,
  create,
  encoded,
  get,
  openPage,
  page,
  untilAborted,
} from './passkey-page.ts'

beforeEach(openPage)
afterEach(closePage)

const stay = { redirect: false } as const

describe('signing in with a passkey', () => {
  test('sends the signed challenge, and goes to the return URL', async () => {
    await signIn('passkey', { email: 'ada@example.com', redirectTo: '/next' }, { from: 'menu' })
    expect(page.requests).toEqual([
      'GET webauthn-options/passkey?email=ada%40example.com',
      'GET csrf',
      'POST callback/passkey?from=menu',
    ])
    const { data = '', ...fields } = Object.fromEntries(page.sent[0] ?? [])
    expect(fields).toEqual({
      email: 'ada@example.com',
      action: 'authenticate',
      callbackUrl: '/next',
      csrfToken: 'token',
    })
    expect(JSON.parse(data)).toEqual({
      id: encoded('key~1?'),
      rawId: encoded('key~1?'),
      type: 'public-key',
      authenticatorAttachment: 'platform',
      clientExtensionResults: { credProps: { rk: true } },
      response: {
        clientDataJSON: encoded('{"type":"webauthn.get"}'),
        authenticatorData: encoded('data'),
        signature: encoded('signed'),
        userHandle: encoded('user'),
      },
    })
    expect(page.visited).toEqual(['https://app.test/next'])
  })

  test('passes the options of the server to the browser', async () => {
    await signIn('passkey', stay)
    const [request] = get.mock.calls[0] ?? []
    expect(request).toEqual({
      signal: expect.any(AbortSignal),
      publicKey: {
        timeout: 60_000,
        rpId: 'app.test',
        userVerification: 'required',
        challenge: bytes('challenge'),
        allowCredentials: [{ type: 'public-key', id: bytes('key~1?'), transports: ['usb'] }],
      },
    })
  })

  test('returns the result with redirect: false', async () => {
    expect(await signIn('passkey', stay)).toEqual({
      error: undefined,
      code: undefined,
      message: undefined,
      status: 200,
      ok: true,
      url: 'https://app.test/next',
    })
    expect(page.visited).toEqual([])
  })

  test('returns the error of the server with a message for the user', async () => {
    const url = 'https://app.test/api/auth/signin?error=WebAuthnVerificationError'
    page.answers.callback = [200, { url }]
    expect(await signIn('passkey', stay)).toMatchObject({
      error: 'WebAuthnVerificationError',
      message: 'The passkey was not accepted. Try again.',
      url: null,
    })
    await signIn('passkey')
    expect(page.visited).toEqual([url])
  })

  test('uses another base path', async () => {
    const urls: unknown[] = []
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
      urls.push(url)
      return answer(url, init)
    })
    await signIn('passkey', { ...stay, basePath: '/auth' })
    expect(urls).toEqual([
      '/auth/webauthn-options/passkey?',
      '/auth/csrf',
      '/auth/callback/passkey?',
    ])
    expect(page.sent[0]?.has('basePath')).toBe(false)
  })

  test('offers passkeys in the autofill until the user chooses one', async () => {
    const result = await signIn('passkey', { ...stay, autofill: true })
    expect(result.error).toBeUndefined()
    expect(get.mock.calls[0]?.[0]).toMatchObject({ mediation: 'conditional' })
    expect(page.requests[0]).toBe('GET webauthn-options/passkey?action=authenticate')
    expect(page.sent[0]?.has('autofill')).toBe(false)
  })

  test('renews the challenge of the autofill before it expires', async () => {
    vi.useFakeTimers()
    get.mockImplementationOnce(untilAborted)
    const result = signIn('passkey', { ...stay, autofill: true })
    await vi.advanceTimersByTimeAsync(240_000)
    expect((await result).error).toBeUndefined()
    expect(page.requests.filter((each) => each.includes('webauthn-options'))).toHaveLength(2)
  })
})

describe('creating a passkey', () => {
  test('sends the new credential', async () => {
    await register('passkey', { email: 'ada@example.com', redirectTo: '/next' })
    expect(page.requests[0]).toBe(
      'GET webauthn-options/passkey?email=ada%40example.com&action=register',
    )
    const { data = '', action } = Object.fromEntries(page.sent[0] ?? [])
    expect(action).toBe('register')
    expect(JSON.parse(data).response).toEqual({
      clientDataJSON: encoded('{"type":"webauthn.create"}'),
      attestationObject: encoded('attested'),
      transports: ['internal', 'hybrid'],
    })
    const [request] = create.mock.calls[0] ?? []
    expect(request?.publicKey).toMatchObject({
      challenge: bytes('challenge'),
      user: { id: bytes('handle'), name: 'ada@example.com' },
      excludeCredentials: [{ type: 'public-key', id: bytes('key~1?') }],
    })
  })

  test('accepts a form, and signIn with the action register', async () => {
    const form = new FormData()
    form.set('email', 'ada@example.com')
    await register('passkey', form)
    await signIn('passkey', { email: 'ada@example.com', action: 'register' })
    expect(page.requests[0]).toBe(page.requests[3])
    expect(create).toHaveBeenCalledTimes(2)
  })
})
