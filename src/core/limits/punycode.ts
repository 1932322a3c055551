/** Internationalized domain names, which can be written in Unicode and in ASCII (RFC 3492, RFC 5890 §2.3.2.1). */

const [BASE, T_MIN, T_MAX, SKEW, DAMP] = [36, 1, 26, 38, 700]

const DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789'

const MAX_CODE_POINT = 0x10ffff

/** Adapts the bias (RFC 3492 §6.1). */
function adapt(delta: number, points: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2))
  rest += Math.floor(rest / points)
  let k = 0
  for (; rest > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) rest = Math.floor(rest / (BASE - T_MIN))
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW))
}

/** Decodes a label in lower case without its prefix (RFC 3492 §6.2); `null` if it is invalid. */
function decodeLabel(label: string): string | null {
  const end = label.lastIndexOf('-')
  const output = Array.from(label.slice(0, Math.max(end, 0)))
  let [code, bias, index, position] = [128, 72, 0, end + 1]
  while (position < label.length) {
    const before = index
    for (let weight = 1, k = BASE; ; k += BASE) {
      const digit = DIGITS.indexOf(label[position++] ?? ' ')
      if (digit < 0) return null
      index += digit * weight
      const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX)
      if (digit < threshold) break
      weight *= BASE - threshold
    }
    const points = output.length + 1
    bias = adapt(index - before, points, before === 0)
    code += Math.floor(index / points)
    index %= points
    if (code > MAX_CODE_POINT) return null
    output.splice(index++, 0, String.fromCodePoint(code))
  }
  return output.join('')
}

/** After the @ or a dot. */
const ENCODED = /(?<![^@.])xn--([a-z\d-]{1,59})(?![a-z\d-])/g

/** Decodes the domain of an e-mail address in lower case. Labels that are not valid stay as they are. */
export function decodeDomain(address: string): string {
  return address.replace(ENCODED, (label: string, encoded: string) => decodeLabel(encoded) ?? label)
}
