/**
 * Collations of MariaDB and MySQL treat some characters as letters, or as one, that other software ignores or distinguishes.
 */

/** Combining letters: letters by the Unicode collation algorithm, and marks, which are ignored, for other software. */
const COMBINING: Readonly<Record<string, string>> = {
  a: '\u0363\u1dd3\u1df2',
  ae: '\u1dd4',
  ao: '\u1dd5',
  av: '\u1dd6',
  b: '\u1de8',
  c: '\u0368\u1dd7',
  d: '\u0369\u1dd8\u1dd9',
  e: '\u0364\u1dea',
  f: '\u1deb',
  g: '\u1acc\u1dda',
  h: '\u036a',
  i: '\u0365',
  k: '\u1ddc',
  l: '\u1ddd',
  m: '\u036b',
  n: '\u1de0',
  o: '\u0366\u1ded\u1df3',
  p: '\u1dee',
  r: '\u036c\u1acd\u1dca\u1de3',
  s: '\u1de4\u1de5',
  t: '\u036d\u1ace',
  u: '\u0367\u1df0\u1df4',
  v: '\u036e',
  w: '\u1abf\u1df1',
  x: '\u036f',
  z: '\u1de6',
  ι: '\u037a',
  б: '\u2de0',
  в: '\u2de1',
  г: '\u2de2',
  д: '\u2de3',
  ж: '\u2de4',
  з: '\u2de5',
  к: '\u2de6',
  л: '\u2de7',
  м: '\u2de8',
  н: '\u2de9',
  о: '\u2dea',
  п: '\u2deb',
  р: '\u2dec',
  с: '\u2ded',
  т: '\u2dee',
  х: '\u2def',
  ц: '\u2df0',
  ч: '\u2df1',
  ш: '\u2df2',
  щ: '\u2df3',
  ѳ: '\u2df4',
  а: '\u2df6',
  е: '\u2df7',
  ꙉ: '\u2df8',
  ꙋ: '\u2df9',
  ѣ: '\u2dfa',
  ю: '\u2dfb',
  ꙗ: '\u2dfc',
  ѧ: '\u2dfd',
  ѫ: '\u2dfe',
  ѭ: '\u2dff',
  є: '\ua674',
  и: '\ua675',
  і: '\ua676',
  у: '\ua677',
  ъ: '\ua678',
  ы: '\ua679',
  ь: '\ua67a',
  ѡ: '\ua67b',
  ф: '\ua69e',
  ѥ: '\ua69f',
  ст: '\u2df5',
}

const COMBINING_LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries(COMBINING).flatMap(([letter, marks]) =>
    Array.from(marks, (mark) => [mark, letter] as const),
  ),
)

/** One character for `utf8mb4_general_ci` and `utf8mb4_unicode_ci`. */
const SUPPLEMENTARY = /[\u{10000}-\u{10ffff}]/gu

/** The name as it is, and as these collations read it; for almost all names, the same. */
export function readingsOf(name: string): readonly string[] {
  if (/^\p{ASCII}*$/u.test(name)) return [name]
  const letters = name.replace(/[\p{M}\u037a]/gu, (mark) => COMBINING_LETTERS.get(mark) ?? mark)
  const plane = letters.replace(SUPPLEMENTARY, '\ufffd')
  // For `utf8mb4_general_ci`, ß is one s, and the iota below a letter is a letter.
  const general = plane.replace(/[ßẞ]/g, 's').replaceAll('\u0345', 'ι')
  return [name, letters, plane, general]
}
