import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { signIn as signInOfReact } from '../../src/browser/react/index.ts'
import { CeremonyError, register, signIn } from '../../src/browser/webauthn/index.ts'
import { assertion, closePage, create, get, openPage, page, untilAborted } from './passkey-page.ts'
import type { Answer } from './passkey-page.ts'

beforeEach(openPage)
afterEach(closePage)

const stay = { redirect: false } as const
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
