import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normalizeAddress } from '../../../src/core/identity/mail-address.ts'

const LONGEST_LOCAL = 'a'.repeat(64)
const LABEL = 'b'.repeat(63)
/** 15 characters, and more than 50 in punycode. */
const CHINESE = Array.from({ length: 15 }, (_, at) =>
  String.fromCodePoint(0x4e00 + ((at * 7919) % 20_000)),
).join('')
/** 254 characters. */
const LONGEST = `${LONGEST_LOCAL}@${LABEL}.${LABEL}.${'c'.repeat(56)}.test`

describe('an address that is spelled', () => {
  test.each([
    ['plainly', 'ada@example.com', 'ada@example.com'],
    ['in capital letters', 'Ada.Lovelace@Example.COM', 'ada.lovelace@example.com'],
    ['with spaces around it', '  ada@example.com ', 'ada@example.com'],
    ['with a no-break space after it', 'ada@example.com\u00a0', 'ada@example.com'],
    ['with a tag', 'ada+news@example.com', 'ada+news@example.com'],
    ['with an apostrophe', "o'brien@example.com", "o'brien@example.com"],
    ['with every sign of a dot-atom', "!#$%&'*+/=?^_`{|}~-@a.test", "!#$%&'*+/=?^_`{|}~-@a.test"],
    ['with a long list of subdomains', 'a@b.c.d.e.f.test', 'a@b.c.d.e.f.test'],
    ['with digits in the domain', 'a@123.4you.test', 'a@123.4you.test'],
    ['with a full-width @', 'ada＠example.com', 'ada@example.com'],
    ['in full-width letters', 'ａｄａ@ｅｘａｍｐｌｅ．ｃｏｍ', 'ada@example.com'],
    ['with a ligature', 'oﬃce@example.com', 'office@example.com'],
    ['with a Unicode domain', 'ada@Bücher.example', 'ada@xn--bcher-kva.example'],
    ['with one in two parts', 'ada@bu\u0308cher.example', 'ada@xn--bcher-kva.example'],
    ['with one in punycode', 'ada@XN--bcher-kva.example', 'ada@xn--bcher-kva.example'],
    ['with a Unicode top-level domain', 'ada@пример.рф', 'ada@xn--e1afmkfd.xn--p1ai'],
    ['as long as can be', LONGEST, LONGEST],
  ])('%s is normalized', (_name, identifier, address) => {
    expect(normalizeAddress(identifier)).toBe(address)
  })
})

describe('rejects', () => {
  test.each([
    ['nothing', ''],
    ['spaces', '   '],
    ['no @', 'ada.example.com'],
    ['no local part', '@example.com'],
    ['no domain', 'ada@'],
    // More than one mailbox, or another one (ASVS 1.3.11).
    ['a header after a line break', 'ada@example.com\r\nBcc: eve@evil.test'],
    ['a line break at the end', 'ada@example.com\r\n'],
    ['a line feed at the beginning', '\nada@example.com'],
    ['a line break in the middle', 'ada\n@example.com'],
    ['a NUL', 'ada@example.com\0'],
    ['a NUL before the domain', 'ada\0@example.com'],
    ['a DEL', 'ada\x7f@example.com'],
    ['a next-line sign', 'ada@example.com\u0085'],
    ['a line separator', 'ada@example.com\u2028eve@evil.test'],
    ['a space', 'ada lovelace@example.com'],
    ['a space after the @', 'ada@ example.com'],
    ['a tab', 'ada\t@example.com'],
    ['angle brackets', '<ada@example.com>'],
    ['a display name', 'Ada <ada@example.com>'],
    ['an open bracket', 'ada<@example.com'],
    ['a semicolon', 'ada@example.com;eve@evil.test'],
    ['a group', 'friends:ada@example.com;'],
    ['a comma in the local part', 'ada,eve@evil.test'],
    ['a comma after the domain', 'ada@example.com,eve@evil.test'],
    ['a comma at the end', 'ada@example.com,'],
    ['a full-width comma', 'ada@example.com，eve.test'],
    ['two @', 'ada@example.com@evil.test'],
    ['two @ in a row', 'ada@@example.com'],
    ['a second @ in full width', 'ada@example.com＠evil.test'],
    ['quotes', '"ada"@example.com'],
    ['quotes around an address', '"ada@example.com"@evil.test'],
    ['a quote', 'ada"@example.com'],
    ['a backslash', 'ada\\@example.com'],
    ['a comment', 'ada(comment)@example.com'],
    ['a comment after the domain', 'ada@example.com(comment)'],
    ['a source route', '@relay.test:ada@example.com'],
    ['a mailto URL', 'mailto:ada@example.com'],
    // Invisible characters.
    ['a zero-width space', 'ada\u200b@example.com'],
    ['one in the domain', 'ada@exam\u200bple.com'],
    ['a zero-width joiner in the domain', 'ada@exam\u200dple.com'],
    ['a zero-width non-joiner in the domain', 'ada@exam\u200cple.com'],
    ['a soft hyphen in the domain', 'ada@exam\u00adple.com'],
    ['a byte order mark in the middle', 'ada@\ufeffexample.com'],
    ['a word joiner', 'ada\u2060@example.com'],
    ['text from right to left', 'ada\u202emoc.elpmaxe@evil.test'],
    // Local parts.
    ['a letter that looks like another', 'аda@example.com'],
    ['a letter that becomes two', 'ada\u0130@example.com'],
    ['the Kelvin sign', '\u212aate@example.com'],
    ['the Kelvin sign before a full-width @', '\u212aate＠example.com'],
    ['a long s', 'ro\u017fe@example.com'],
    ['a dotless i', 'ad\u0131@example.com'],
    ['a dot at the beginning', '.ada@example.com'],
    ['a dot at the end', 'ada.@example.com'],
    ['two dots', 'ada..lovelace@example.com'],
    ['a leader of two dots', 'ada\u2025lovelace@example.com'],
    ['65 characters before the @', `${LONGEST_LOCAL}a@example.com`],
    ['an emoji', '🦄@example.com'],
    // Domains.
    ['localhost', 'ada@localhost'],
    ['a top-level domain', 'ada@com'],
    ['an IP literal', 'ada@[127.0.0.1]'],
    ['an IPv6 literal', 'ada@[IPv6:::1]'],
    ['an IP address', 'ada@127.0.0.1'],
    ['a short one', 'ada@127.1'],
    ['a hexadecimal one', 'ada@0x7f.0.0.1'],
    ['one of other digits', 'ada@１２７.٠.0.1'],
    ['a domain that ends with a number', 'ada@example.123'],
    ['a dot at the beginning of it', 'ada@.example.com'],
    ['a dot at its end', 'ada@example.com.'],
    ['two dots in it', 'ada@example..com'],
    ['a hyphen at its beginning', 'ada@-example.com'],
    ['a hyphen at the end of a label', 'ada@example-.com'],
    ['an underscore in it', 'ada@exam_ple.com'],
    ['a port', 'ada@example.com:25'],
    ['a path', 'ada@example.com/x'],
    ['a query', 'ada@example.com?x'],
    ['a fragment', 'ada@example.com#x'],
    ['an encoded dot', 'ada@example%2ecom'],
    ['a backslash in it', 'ada@example.com\\x'],
    ['an emoji domain', 'ada@🦄.test'],
    // `URL` of Node.js 24 accepts it, and changes nothing.
    ...(URL.canParse('http://xn--a.test') ? [] : [['broken punycode', 'ada@xn--a.test']]),
    ['half a character', 'ada@\ud800.test'],
    // Lengths (RFC 5321 §4.5.3.1).
    ['a label of 64 characters', `ada@${LABEL}b.test`],
    ['255 characters', LONGEST.replace('c', 'cc')],
    ['more than that once it is ASCII', `ada@${`${CHINESE}.`.repeat(5)}test`],
    ['8 KiB', `${'a.'.repeat(4096)}a@example.com`],
    ['8 KiB of @', '@'.repeat(8192)],
    ['8 KiB of a character that NFKC expands to 18', `${'\ufdfa'.repeat(8192)}@example.com`],
  ])('%s', (_name, identifier) => {
    expect(() => normalizeAddress(identifier)).toThrow(
      /^The e-mail address does not have the form name@example\.com\.$/,
    )
  })
})

test('rejects quickly', () => {
  const start = process.cpuUsage()
  for (const part of ['a', 'a.', '-', '.', '@', 'ü', 'xn--', ' ', '\ufdfa', 'a-'])
    for (const identifier of [part.repeat(1e5), `a@${part.repeat(1e5)}`, `${part.repeat(127)}@`])
      expect(() => normalizeAddress(identifier)).toThrow(Error)
  expect(process.cpuUsage(start).user).toBeLessThan(2_000_000)
})

/** Parts of addresses and of attacks. */
const PARTS = [
  'ada Ada example test com ü рф xn--bcher-kva １２７ 0x7f 1'.split(' '),
  Array.from('@＠.．。-_+%!\'"\\/:#?,，;<>()[] \t\r\n\0'),
  Array.from('\u200b\u00ad\ufeff\u2028\u0130\u212a\u0300\u037eßﬃ🦄ﷺ\ud800'),
].flat()

const pieces = fc.array(fc.constantFrom(...PARTS), { maxLength: 12 }).map((list) => list.join(''))
const letters = fc.string({ unit: 'grapheme', maxLength: 20 })
const identifiers = fc.oneof(
  pieces,
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.emailAddress(),
  fc.tuple(pieces, pieces).map(([local, domain]) => `${local}@${domain}.test`),
  fc.tuple(letters, letters).map(([local, domain]) => `a${local}@${domain}.com`),
  letters.map((domain) => `ada@${domain}.example.com`),
)

function accepted(identifier: string): string | null {
  try {
    return normalizeAddress(identifier)
  } catch {
    return null
  }
}

test('every accepted address is one mailbox of RFC 5321, and normalized', () => {
  let count = 0
  const atom = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
  const mailbox = new RegExp(`^${atom}(\\.${atom})*@([a-z0-9]([a-z0-9-]*[a-z0-9])?\\.)+[a-z0-9-]+$`)
  fc.assert(
    fc.property(identifiers, (identifier) => {
      const address = accepted(identifier)
      if (address === null) return
      count += 1
      const [local = '', domain = '', ...rest] = address.split('@')
      expect(rest).toEqual([])
      expect(address).toMatch(mailbox)
      expect(address).toMatch(/^[\x21-\x7e]{1,254}$/)
      expect(local.length).toBeLessThanOrEqual(64)
      expect(domain.split('.').every((label) => label.length <= 63)).toBe(true)
      expect(domain).not.toMatch(/\.[0-9]+$/)
      expect(normalizeAddress(address)).toBe(address)
      expect(normalizeAddress(` ${address.toUpperCase()} `)).toBe(address)
    }),
    { numRuns: 20_000 },
  )
  expect(count).toBeGreaterThan(500)
})
