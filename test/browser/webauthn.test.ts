import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { signIn as signInOfReact } from '../../src/browser/react/index.ts'
import { CeremonyError, register, signalRemoved, signIn } from '../../src/browser/webauthn/index.ts'
import {
  answer,
  assertion,
  bytes,
  closePage,
  create,
  encoded,
  get,
  openPage,
  page,
  untilAborted,
} from './passkey-page.ts'
import type { Answer } from './passkey-page.ts'

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

const exception = (name: string) => new DOMException('', name)

describe('a request that fails in the browser', () => {
  test.each([
    ['NotAllowedError', 'cancelled', /cancelled, or there is no passkey/],
    ['SecurityError', 'wrong_domain', /cannot be used at this address/],
    ['InvalidStateError', 'already_registered', /already a passkey/],
    ['NotSupportedError', 'no_authenticator', /No suitable device/],
    ['ConstraintError', 'no_authenticator', /No suitable device/],
    ['UnknownError', 'failed', /could not be used/],
  ])('with %s returns the code %s and a message', async (name, code, message) => {
    create.mockRejectedValue(exception(name))
    const result = await register('passkey', { ...stay, email: 'ada@example.com' })
    expect(result).toEqual({
      error: 'CeremonyError',
      code,
      message: expect.stringMatching(message),
      status: 0,
      ok: false,
      url: null,
    })
    expect(page.requests.join()).not.toContain('POST')
  })

  test.each([
    ['SecurityError', true],
    ['UnknownError', true],
    ['NotAllowedError', false],
  ])('with %s writes its cause to the console of the developer: %s', async (name, isWritten) => {
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const cause = exception(name)
    get.mockRejectedValue(cause)
    await signIn('passkey', stay)
    const [written] = log.mock.calls
    expect(written?.[0]).toEqual(isWritten ? expect.objectContaining({ name }) : undefined)
  })

  test('rejects without redirect: false, because there is no page to go to', async () => {
    const cause = exception('NotAllowedError')
    get.mockRejectedValue(cause)
    const error: unknown = await signIn('passkey').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(CeremonyError)
    expect(error).toMatchObject({ code: 'cancelled', cause: { name: 'NotAllowedError', cause } })
    expect(page.visited).toEqual([])
    get.mockResolvedValue(assertion)
    await signIn('passkey')
    expect(page.visited).toHaveLength(1)
  })

  test('is a timeout if the browser waited as long as the server allows', async () => {
    get.mockImplementation(() => {
      vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000)
      return Promise.reject(exception('NotAllowedError'))
    })
    expect(await signIn('passkey', stay)).toMatchObject({ code: 'timeout' })
  })

  test.each([
    ['insecure_origin', () => vi.stubGlobal('isSecureContext', false)],
    ['unsupported', () => Reflect.deleteProperty(globalThis, 'PublicKeyCredential')],
  ])('is reported as %s before a request is sent', async (code, setUp) => {
    setUp()
    expect(await signIn('passkey', stay)).toMatchObject({ error: 'CeremonyError', code })
    expect(page.requests).toEqual([])
  })

  test('reports autofill as unsupported if the browser lacks it', async () => {
    vi.stubGlobal('PublicKeyCredential', vi.fn())
    expect(await signIn('passkey', { ...stay, autofill: true })).toMatchObject({
      code: 'unsupported',
    })
  })

  test('replaces a pending request with the new one', async () => {
    get.mockImplementationOnce(untilAborted)
    const first = signIn('passkey', stay)
    await vi.waitFor(() => expect(get).toHaveBeenCalled(), { timeout: 20_000 })
    const second = signIn('passkey', stay)
    expect(await first).toMatchObject({ code: 'replaced' })
    expect((await second).error).toBeUndefined()
  })
})

describe('a site that does not answer as expected', () => {
  test.each<[string, Answer | 'none', string]>([
    ['no response', 'none', 'unavailable'],
    ['503', [503, { error: 'TemporarilyUnavailable' }], 'unavailable'],
    ['502', [502, 'page'], 'unavailable'],
    ['500', [500, { error: 'Configuration' }], 'failed'],
    ['400', [400, { error: 'Invalid request' }], 'failed'],
    ['a page', [200, 'page'], 'failed'],
  ])('reports %s to the request for options', async (_what, options, code) => {
    page.answers['webauthn-options'] = options
    expect(await signIn('passkey', stay)).toMatchObject({ error: 'CeremonyError', code })
    expect(get).not.toHaveBeenCalled()
  })

  test.each([signIn, register])('returns the reason of a refused request: %o', async (run) => {
    page.answers['webauthn-options'] = [
      403,
      {
        error: 'AccountNotLinked',
        message: 'The session cannot link accounts. Sign in again, then repeat it.',
        code: 'session_cannot_link',
        retryable: false,
      },
    ]
    const reason = {
      error: 'AccountNotLinked',
      code: 'session_cannot_link',
      message: 'The passkey was not added. Sign out, sign in again, and then add it.',
    }
    expect(await run('passkey', stay)).toEqual({ ...reason, status: 403, ok: false, url: null })
    await expect(run('passkey')).rejects.toMatchObject({
      name: 'CeremonyError',
      code: 'failed',
      message: reason.message,
    })
    expect(get).not.toHaveBeenCalled()
    delete page.answers['webauthn-options']
    const url = `https://app.test/api/auth/signin?error=AccountNotLinked&code=session_cannot_link`
    page.answers.callback = [200, { url }]
    expect(await run('passkey', stay)).toMatchObject(reason)
  })

  test('returns the message of the site for an error of which it has no text', async () => {
    const message = 'The request is malformed.'
    page.answers['webauthn-options'] = [400, { error: 'InvalidRequest', message }]
    const result = await register('passkey', stay)
    expect(result).toMatchObject({ error: 'InvalidRequest', code: undefined, message, status: 400 })
  })

  test('reports no response to the signed challenge', async () => {
    page.answers.callback = 'none'
    expect(await signIn('passkey', stay)).toMatchObject({ error: 'Configuration', status: 0 })
    await signIn('passkey')
    expect(page.visited).toEqual(['/api/auth/error?error=Configuration'])
  })

  test('throws for a provider that does not exist', async () => {
    page.answers['webauthn-options'] = [404, { error: 'InvalidProvider' }]
    await expect(signIn('pasky', stay)).rejects.toThrow(
      /^No passkey provider has the id "pasky"\..*lib-auth\/react/,
    )
  })

  test('throws outside of a browser', async () => {
    vi.stubGlobal('location', undefined)
    await expect(signIn('passkey')).rejects.toThrow(/need a browser/)
  })

  test('lib-auth/react goes to the sign-in page for a passkey provider', async () => {
    const provider = { id: 'passkey', name: 'Passkey', type: 'webauthn' }
    page.answers.providers = [200, { passkey: provider }]
    await signInOfReact('passkey', { redirectTo: '/next' })
    expect(page.visited).toEqual(['/api/auth/signin?callbackUrl=%2Fnext'])
  })
})

function withSignal() {
  const signalUnknownCredential = vi.fn<(options: object) => Promise<void>>().mockResolvedValue()
  vi.stubGlobal('PublicKeyCredential', Object.assign(vi.fn(), { signalUnknownCredential }))
  return signalUnknownCredential
}

describe('signalRemoved', () => {
  test('tells the browser which passkey of the site was removed', async () => {
    const signal = withSignal()
    await signalRemoved('a+b/cw==')
    expect(signal.mock.calls).toEqual([[{ rpId: 'app.test', credentialId: 'a-b_cw' }]])
  })

  test('takes the RP ID of a parent domain', async () => {
    const signal = withSignal()
    await signalRemoved('a-b_cw', { rpId: 'test' })
    expect(signal.mock.calls).toEqual([[{ rpId: 'test', credentialId: 'a-b_cw' }]])
  })

  test('does nothing in a browser without signals, or without passkeys', async () => {
    await expect(signalRemoved('a')).resolves.toBeUndefined()
    vi.stubGlobal('PublicKeyCredential', undefined)
    await expect(signalRemoved('a')).resolves.toBeUndefined()
    expect(console.error).not.toHaveBeenCalled()
  })

  test('writes the reason of a failure to the console, and does not reject', async () => {
    const reason = new DOMException('The RP ID is not a suffix of the domain.', 'SecurityError')
    withSignal().mockRejectedValue(reason)
    await expect(signalRemoved('a')).resolves.toBeUndefined()
    expect(console.error).toHaveBeenCalledWith(reason)
  })
})
