/** Letters and digits that collations without accents and case treat as others, and that have no decomposition. */
/** As in the Unicode collation algorithm, and letters whose stroke or hook other software ignores. */
const VARIANTS: Readonly<Record<string, string>> = {
  1: '৴',
  2: '৵',
  3: '৶',
  4: '৷',
  '120p': '🆤',
  '2k': '🆝',
  '3d': '🆛',
  '4k': '🆞',
  '60p': '🆣',
  '8k': '🆟',
  a: 'ꞛꟁⱥ',
  aa: 'ꜳ𐞀',
  ab: '🆎',
  ae: 'æ',
  ao: 'ꜵ',
  au: 'ꜷ',
  av: 'ꜹꜻ',
  ay: 'ꜽ',
  b: 'ƀɓƃ',
  c: 'ȼƈ',
  cl: '🆑',
  cool: '🆒',
  d: 'ðđɖɗƌꝺ🆥',
  db: 'ȸ',
  dz: 'ʣ',
  e: 'ɇəǝɛ',
  f: 'ƒꝼ',
  free: '🆓',
  g: 'ǥɠᵹꞡ',
  h: 'ħɦⱨ',
  hc: '🆦',
  hdr: '🆧',
  i: 'ıɨɩ',
  ic: '🆋',
  id: '🆔',
  j: 'ɉȷ',
  k: 'ƙĸⱪꞣ',
  l: 'łƚɫⱡꝉ',
  ll: 'ỻ',
  lossless: '🆩',
  ls: 'ʪ𐞙',
  lz: 'ʫ𐞚',
  n: 'ŋɲƞꞥ',
  new: '🆕',
  ng: '🆖',
  o: 'øɵɔꝋꞝ',
  oe: 'œɶ',
  ok: '🆗',
  oo: 'ꝏ',
  p: 'ƥᵽ🆊',
  pa: '🆌',
  q: 'ɋ',
  qp: 'ȹ',
  r: 'ɍɽꝛꞃꞧ',
  s: 'ȿꞅꞩꟙ',
  sa: '🆍',
  shv: '🆪',
  sos: '🆘',
  ss: 'ß',
  t: 'ŧƭʈⱦꞇ',
  th: 'þᵺ',
  ts: 'ʦƾ',
  tz: 'ꜩ',
  u: 'ʉꞟ',
  uhd: '🆫',
  v: 'ʋ',
  vod: '🆬',
  vs: '🆚',
  vy: 'ꝡ',
  w: 'ⱳꟃ',
  wc: '🆏',
  y: 'ɏƴ',
  z: 'ƶȥɀ',
  zw: 'ƍ',
  г: 'ґ',
  και: 'ϗ',
  о: 'ꙩꙫꙭꙮꚙꚛ',
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

/** White letters on black, which Unicode does not decompose: U+1F150 to U+1F169 and U+1F170 to U+1F189. */
const NEGATIVE = /[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}]/gu

function foldNegative(letter: string): string {
  const index = ((letter.codePointAt(0) ?? 0) - 0x1f150) % 32
  return String.fromCharCode('a'.charCodeAt(0) + index)
}

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
    .replace(NEGATIVE, foldNegative)
    .replace(/\P{ASCII}/gu, (letter) => LETTERS.get(letter) ?? letter)
    .replace(/[^\p{ASCII}\P{N}]/gu, foldNumber)
}
