import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { isOnCurve } from '../../../../src/core/flows/webauthn/curve.ts'

const bytes = (text = '') => new Uint8Array(Buffer.from(text, 'base64url'))
const hex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'))

/** The coordinates of new keys. */
const GENERATE: readonly (readonly [name: string, curve: number, generate: () => JsonWebKey])[] = [
  ...(
    [
      ['P-256', 1],
      ['P-384', 2],
      ['P-521', 3],
    ] as const
  ).map(
    ([name, curve]) =>
      [
        name,
        curve,
        () => generateKeyPairSync('ec', { namedCurve: name }).publicKey.export({ format: 'jwk' }),
      ] as const,
  ),
  ['Ed25519', 6, () => generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })],
  ['Ed448', 7, () => generateKeyPairSync('ed448').publicKey.export({ format: 'jwk' })],
]

describe.each(GENERATE)('%s', (_name, curve, generate) => {
  test('contains every generated key, and no key of another length or curve', () => {
    for (let left = 20; left > 0; left--) {
      const { x, y } = generate()
      const point = [bytes(x), y === undefined ? undefined : bytes(y)] as const
      expect(isOnCurve(curve, ...point)).toBe(true)
      expect(isOnCurve(curve, point[0].subarray(1), point[1])).toBe(false)
      // Half of all coordinates of P-256 are also compressed points of Ed25519, which is another key type.
      const others = [0, 1, 2, 3, 6, 7].filter((each) => each !== curve && curve + each !== 7)
      for (const other of others) expect(isOnCurve(other, ...point)).toBe(false)
    }
  })

  test('does not contain changed points', () => {
    const accepted = Array.from({ length: 40 }, () => {
      const { x, y } = generate()
      const changed = bytes(y ?? x)
      changed[5] = (changed[5] ?? 0) ^ 1
      return y === undefined ? isOnCurve(curve, changed) : isOnCurve(curve, bytes(x), changed)
    })
    // Half of the values of a compressed point are on the curve.
    const most = curve < 4 ? 0 : 35
    expect(accepted.filter(Boolean).length).toBeLessThanOrEqual(most)
  })
})

test.each<[curve: number, point: Uint8Array, y?: Uint8Array]>([
  [1, new Uint8Array(32), new Uint8Array(32)],
  [1, new Uint8Array(32).fill(255), new Uint8Array(32).fill(255)],
  // Small order (RFC 7748 §7), and not reduced.
  [6, hex(`00${'00'.repeat(31)}`)],
  [6, hex(`00${'00'.repeat(30)}80`)],
  [6, hex(`01${'00'.repeat(31)}`)],
  [6, hex(`ec${'ff'.repeat(30)}7f`)],
  [6, hex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05')],
  [6, hex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85')],
  [6, hex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a')],
  [6, hex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa')],
  [6, hex(`ed${'ff'.repeat(30)}7f`)],
  [6, hex(`f0${'ff'.repeat(30)}7f`)],
  [7, hex('00'.repeat(57))],
  [7, hex(`01${'00'.repeat(56)}`)],
  [7, hex(`fe${'ff'.repeat(27)}fe${'ff'.repeat(27)}00`)],
])('curve %i does not contain %s', (curve, point, y) => {
  expect(isOnCurve(curve, point, y)).toBe(false)
})
