/** Letters and digits that collations without accents and case treat as others, and that have no decomposition. */
/** As in the Unicode collation algorithm, and letters whose stroke or hook other software ignores. */
const VARIANTS: Readonly<Record<string, string>> = {
  a: 'ꞛꟁⱥ',
  aa: 'ꜳ𐞀',
  ae: 'æ',
  ao: 'ꜵ',
  au: 'ꜷ',
  av: 'ꜹꜻ',
  ay: 'ꜽ',
  b: 'ƀɓƃ',
  c: 'ȼƈ',
  d: 'ðđɖɗƌꝺ',
  dz: 'ʣ',
  e: 'ɇəǝɛ',
  f: 'ƒꝼ',
  g: 'ǥɠᵹꞡ',
  h: 'ħɦⱨ',
  i: 'ıɨɩ',
  j: 'ɉȷ',
  k: 'ƙĸⱪꞣ',
  l: 'łƚɫⱡꝉ',
  ll: 'ỻ',
  n: 'ŋɲƞꞥ',
  o: 'øɵɔꝋꞝ',
  oe: 'œɶ',
  oo: 'ꝏ',
  p: 'ƥᵽ',
  q: 'ɋ',
  r: 'ɍɽꝛꞃꞧ',
  s: 'ȿꞅꞩꟙ',
  ss: 'ß',
  t: 'ŧƭʈⱦꞇ',
  th: 'þᵺ',
  ts: 'ʦƾ',
  tz: 'ꜩ',
  u: 'ʉꞟ',
  v: 'ʋ',
  vy: 'ꝡ',
  w: 'ⱳꟃ',
  y: 'ɏƴ',
  z: 'ƶȥɀ',
  г: 'ґ',
  כ: 'ך',
  מ: 'ם',
  נ: 'ן',
  פ: 'ף',
  צ: 'ץ',
  あ: 'ぁ',
  い: 'ぃ',
  う: 'ぅ',
  え: 'ぇ',
  お: 'ぉ',
  か: 'ゕ',
  け: 'ゖ',
  つ: 'っ',
  や: 'ゃ',
  ゆ: 'ゅ',
  よ: 'ょ',
  わ: 'ゎ',
}

const LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries(VARIANTS).flatMap(([letter, variants]) =>
    Array.from(variants, (variant) => [variant, letter] as const),
  ),
)

/** U+30A1 to U+30F6; hiragana are 96 code points before them. */
const KATAKANA = /[ァ-ヶ]/gu

/** Digits of other scripts, and numbers in circles, by their character. Unicode has 1,900 of them. */
const numbers = new Map<string, string>()

function readNumber(character: string): string {
  const { compare } = new Intl.Collator('en', { sensitivity: 'base' })
  for (let number = 0; number <= 80; number++)
    if (compare(String(number), character) === 0) return String(number)
  return character
}

function foldNumber(character: string): string {
  const number = numbers.get(character) ?? readNumber(character)
  numbers.set(character, number)
  return number
}

/** Of text in lower case, after compatibility decomposition. */
export function foldLetters(text: string): string {
  return text
    .replace(KATAKANA, (letter) => String.fromCharCode(letter.charCodeAt(0) - 96))
    .replace(/[^\p{ASCII}\p{N}]/gu, (letter) => LETTERS.get(letter) ?? letter)
    .replace(/[^\p{ASCII}\P{N}]/gu, foldNumber)
}
