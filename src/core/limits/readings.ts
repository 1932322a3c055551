/**
 * Collations of MariaDB and MySQL treat some characters as letters, or as one, that other software ignores or distinguishes.
 */

/**
 * Combining letters, from a code point on: letters by the Unicode collation algorithm, and marks, which are ignored, for
 * other software. `-` stands for a code point that is not one.
 */
const COMBINING: readonly (readonly [first: number, letters: string])[] = [
  [0x363, 'a e i o u c d h m r t v x'],
  [0x37a, 'ι'],
  [0x1a58, 'ᨦ ᨦ ᨻ ᨻ'],
  [0x1abf, 'w ʍ'],
  [0x1acc, 'g r t'],
  [0x1dca, 'r'],
  [0x1dd2, 'ꝯ a ae ao av c d d g ɢ k l ʟ ᴍ n ɴ ʀ r s s z ɑ b ꞵ e f ꬸ o p ʃ u w a o u'],
  [0x2de0, 'б в г д ж з к л м н о п р с т х ц ч ш щ ѳ ст а е ꙉ ꙋ ѣ ю ꙗ ѧ ѫ ѭ'],
  [0xa674, 'є и і у ъ ы ь ѡ'],
  [0xa69e, 'ф ѥ'],
  [0x1e08f, 'і'],
]

function readCombining(mark: string): string {
  const code = mark.codePointAt(0) ?? 0
  // Glagolitic
  if (code >= 0x1e000 && code <= 0x1e02a) return String.fromCodePoint(code - 0x1e000 + 0x2c30)
  for (const [first, letters] of COMBINING) {
    const letter = letters.split(' ')[code - first]
    if (letter !== undefined) return letter === '-' ? mark : letter
  }
  return mark
}

/** One character for `utf8mb4_general_ci` and `utf8mb4_unicode_ci`. */
const SUPPLEMENTARY = /[\u{10000}-\u{10ffff}]/gu

/** The name as it is, and as these collations read it; for almost all names, the same. */
export function findReadings(name: string): readonly string[] {
  if (/^\p{ASCII}*$/u.test(name)) return [name]
  const [letters = '', plane = ''] = [name, name.replace(SUPPLEMENTARY, '\ufffd')].map((each) =>
    each.replace(/[\p{M}\u037a]/gu, readCombining),
  )
  // For `utf8mb4_general_ci`, ß is one s, and the iota below a letter is a letter.
  const general = plane.replace(/[ßẞ]/g, 's').replaceAll('\u0345', 'ι')
  return [name, letters, plane, general]
}
