import { expect, test } from 'vitest'
import { fromBase32, toBase32 } from '../../../src/core/factors/base32.ts'
import { qrCode } from '../../../src/core/factors/qr-code.ts'
import { codeAt, keyUri, parseKey, stepAt } from '../../../src/core/factors/totp.ts'

const bytes = (text: string) => Uint8Array.from(Buffer.from(text))

// RFC 6238 appendix B has eight digits; the last six are those of a code with six.
test.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('the code at %i seconds is that of RFC 6238: %s', async (seconds, code) => {
  const key = bytes('12345678901234567890')
  expect(await codeAt(key, stepAt(seconds * 1000))).toBe(code.slice(-6))
})

// RFC 4648 §10, without padding.
test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('Base32 of "%s" is %s', (text, encoded) => {
  expect(toBase32(bytes(text))).toBe(encoded)
  expect(fromBase32(encoded)).toEqual(bytes(text))
})

test('the address names the site and the user, whatever characters they have', () => {
  const url = new URL(keyUri(bytes('foobar'), { issuer: 'A:B & Söhne', label: 'a+b:c@x.test' }))
  expect(url.protocol).toBe('otpauth:')
  expect(decodeURIComponent(url.pathname)).toBe('/A B & Söhne:a+b c@x.test')
  expect(Object.fromEntries(url.searchParams)).toEqual({
    secret: 'MZXW6YTBOI',
    issuer: 'A B & Söhne',
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
})

test.each([
  ['long', 'x'.repeat(5000)],
  ['long, in another script', '漢'.repeat(400)],
  ['ill-formed', 'Ada \ud800'],
])('a name of a user or a site that is %s fits into a QR code', async (_title, name) => {
  const uri = keyUri(new Uint8Array(64), { issuer: name, label: name })
  expect(await qrCode(uri)).toContain('<svg')
  expect(decodeURIComponent(new URL(uri).pathname)).toContain(name.slice(0, 4))
})

test('an address of 254 characters is not shortened', () => {
  const label = `${'a'.repeat(64)}@${'b'.repeat(189)}`
  const { pathname } = new URL(keyUri(new Uint8Array(64), { issuer: 'App', label }))
  expect(decodeURIComponent(pathname)).toBe(`/App:${label}`)
})

const KEY = 'JBSWY3DPEHPK3PXP'

test.each([
  ['as authenticator apps show it', KEY],
  ['in groups and small letters', 'jbsw y3dp ehpk-3pxp\n'],
  ['with padding', `${KEY}======`],
  ['with bits that do not fill a byte', `${KEY}A`],
])('reads the key of another system %s', (_form, text) => {
  expect(parseKey(text)).toEqual(Uint8Array.from(Buffer.from('48656c6c6f21deadbeef', 'hex')))
})

test.each([
  ['nothing', ''],
  ['72 bits', 'A'.repeat(15)],
  ['65 bytes', 'A'.repeat(104)],
  ['a digit that is not in the alphabet', KEY.replace('3', '1')],
  ['letters of other alphabets that have capitals in this one', `${KEY}\u0131\u017F`],
  ['hexadecimal digits', '48656c6c6f21deadbeef48656c6c6f21deadbeef'],
  ['an address', `otpauth://totp/App:ada?secret=${KEY}`],
])('rejects a key of another system with %s', (_problem, text) => {
  expect(parseKey(text)).toBeNull()
})
