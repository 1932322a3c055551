import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { signalRemoved } from '../../src/browser/webauthn/index.ts'
import { closePage, openPage } from './passkey-page.ts'

beforeEach(openPage)
afterEach(closePage)

function withSignal() {
  const signalUnknownCredential = vi.fn<(options: object) => Promise<void>>().mockResolvedValue()
  vi.stubGlobal('PublicKeyCredential', Object.assign(vi.fn(), { signalUnknownCredential }))
  return signalUnknownCredential
}

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
