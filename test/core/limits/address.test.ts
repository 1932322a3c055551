/** The client address: every variant of an address is the same client. */
import { describe, expect, test } from 'vitest'
import {
  findClientAddress,
  normalizeClientAddress,
} from '../../../src/core/limits/client-address.ts'

describe('a client address', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    [' 192.0.2.1 ', '192.0.2.1'],
    ['192.0.2.1:50123', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['[::ffff:192.0.2.1]:443', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('%s is %s', (given, expected) => {
    expect(normalizeClientAddress(given)).toBe(expected)
  })

  test.each([
    '',
    'unknown',
    '192.0.2',
    '192.0.2.256',
    '192.0.2.1.5',
    '2001:db8::1::2',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7::8',
    'gggg::1',
    'example.com',
    "192.0.2.1' OR 1=1",
  ])('%j is not one', (given) => {
    expect(normalizeClientAddress(given)).toBeNull()
  })
})

describe('the address in a header', () => {
  const headers = new Headers({ 'x-forwarded-for': '203.0.113.9, 198.51.100.7,192.0.2.1' })

  test.each([
    [undefined, '192.0.2.1'],
    [1, '192.0.2.1'],
    [2, '198.51.100.7'],
    [3, '203.0.113.9'],
    [4, null],
  ])('with %s hops is counted from the right', (hops, expected) => {
    expect(findClientAddress(headers, { header: 'X-Forwarded-For', hops })).toBe(expected)
  })

  test('does not depend on what a client puts on the left', () => {
    const addresses = Array.from({ length: 50 }, (_, index) => {
      const forged = new Headers({ 'x-forwarded-for': `10.0.0.${index}, 192.0.2.1` })
      return findClientAddress(forged, { header: 'x-forwarded-for' })
    })
    expect(new Set(addresses)).toEqual(new Set(['192.0.2.1']))
  })

  test('is unknown without configuration, and without the header', () => {
    expect(findClientAddress(headers, undefined)).toBeNull()
    expect(findClientAddress(new Headers(), { header: 'x-forwarded-for' })).toBeNull()
  })
})

describe('the address of a function', () => {
  test.each([
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    [' Client-7 ', 'client-7'],
    ['', null],
    [null, null],
    ['203.0.113.9, 192.0.2.1', '192.0.2.1'],
    ['203.0.113.9,', null],
  ])('%j is %j', (given, expected) => {
    expect(findClientAddress(new Headers(), () => given)).toBe(expected)
  })
})
