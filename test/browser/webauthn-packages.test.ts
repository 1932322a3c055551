/** `lib-auth/webauthn` with every major version of `@simplewebauthn/browser`. */
import * as version14 from '@simplewebauthn/browser'
import * as version10 from 'simplewebauthn-browser-10'
import * as version11 from 'simplewebauthn-browser-11'
import * as version12 from 'simplewebauthn-browser-12'
import * as version13 from 'simplewebauthn-browser-13'
import * as version9 from 'simplewebauthn-browser-9'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  bytes,
  closePage,
  create,
  encoded,
  get,
  openPage,
  page,
  untilAborted,
} from './passkey-page.ts'

afterEach(() => {
  closePage()
  vi.doUnmock('@simplewebauthn/browser')
})

const stay = { redirect: false } as const

describe.each([
  [9, version9],
  [10, version10],
  [11, version11],
  [12, version12],
  [13, version13],
  [14, version14],
])('with version %i of @simplewebauthn/browser', (major, version) => {
  async function load() {
    vi.resetModules()
    vi.doMock('@simplewebauthn/browser', () => version)
    return import('../../src/browser/webauthn/index.ts')
  }
  beforeEach(openPage)
  beforeEach(() => {
    vi.spyOn(console, 'warn')
  })
  afterEach(() => {
    expect(console.warn).not.toHaveBeenCalled()
  })

  test('signs in with the challenge and the passkeys of the server', async () => {
    const { signIn } = await load()
    expect((await signIn('passkey', stay)).error).toBeUndefined()
    expect(get.mock.calls[0]?.[0].publicKey).toMatchObject({
      challenge: bytes('challenge'),
      rpId: 'app.test',
      userVerification: 'required',
      allowCredentials: [{ type: 'public-key', id: bytes('key~1?'), transports: ['usb'] }],
    })
    expect(JSON.parse(page.sent[0]?.get('data') ?? '')).toMatchObject({
      id: encoded('key~1?'),
      response: { signature: encoded('signed'), authenticatorData: encoded('data') },
    })
  })

  test('creates a passkey', async () => {
    const { register } = await load()
    expect((await register('passkey', stay)).error).toBeUndefined()
    expect(create.mock.calls[0]?.[0].publicKey).toMatchObject({
      challenge: bytes('challenge'),
      // Version 9 encodes the text instead of decoding it.
      user: { id: bytes(major === 9 ? encoded('handle') : 'handle') },
      excludeCredentials: [{ type: 'public-key', id: bytes('key~1?') }],
    })
    expect(JSON.parse(page.sent[0]?.get('data') ?? '')).toMatchObject({
      response: { attestationObject: encoded('attested'), transports: ['internal', 'hybrid'] },
    })
  })

  test('offers autofill until another request replaces it', async () => {
    const { register, signIn } = await load()
    get.mockImplementation(untilAborted)
    const autofill = signIn('passkey', { ...stay, autofill: true })
    await vi.waitFor(() => expect(get).toHaveBeenCalled(), { timeout: 20_000 })
    expect(get.mock.calls[0]?.[0]).toMatchObject({ mediation: 'conditional' })
    expect((await register('passkey', stay)).error).toBeUndefined()
    expect(await autofill).toMatchObject({ code: 'replaced' })
  })

  test.each([
    ['NotAllowedError', 'cancelled'],
    ['InvalidStateError', 'already_registered'],
    ['ConstraintError', 'no_authenticator'],
    ['SecurityError', 'wrong_domain'],
  ])('reports %s as %s', async (name, code) => {
    const { register } = await load()
    create.mockRejectedValue(new DOMException('', name))
    expect(await register('passkey', stay)).toMatchObject({ error: 'CeremonyError', code })
  })
})
