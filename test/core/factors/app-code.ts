import { codeAt, stepAt } from '../../../src/core/factors/totp.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function fromBase32(text: string): Uint8Array<ArrayBuffer> {
  const bits = Array.from(text, (each) => ALPHABET.indexOf(each).toString(2).padStart(5, '0')).join(
    '',
  )
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))
}

/** The code that an authenticator app with this key shows, now or some steps later. */
export function appCode(secret: string, steps = 0): Promise<string> {
  return codeAt(fromBase32(secret), stepAt(Date.now()) + steps)
}
