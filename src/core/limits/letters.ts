/** Letters and digits that collations without accents and case treat as others, and that have no decomposition. */

/**
 * A letter and its variants, as in the Unicode collation algorithm; also letters whose stroke or hook other software
 * ignores.
 */
const VARIANTS = `
  1:৴ 2:৵ 3:৶ 4:৷ a:ꞛꟁⱥ b:ƀɓƃ c:ȼƈ d:ðđɖɗƌꝺ🆥 e:ɇəǝɛ f:ƒꝼ g:ǥɠᵹꞡ h:ħɦⱨ i:ıɨɩ j:ɉȷ k:ƙĸⱪꞣ
  l:łƚɫⱡꝉ n:ŋɲƞꞥ o:øɵɔꝋꞝ p:ƥᵽ🆊 q:ɋ r:ɍɽꝛꞃꞧ s:ȿꞅꞩꟙ t:ŧƭʈⱦꞇ u:ʉꞟ v:ʋ w:ⱳꟃ y:ɏƴ z:ƶȥɀ
  120p:🆤 2k:🆝 3d:🆛 4k:🆞 60p:🆣 8k:🆟 aa:ꜳ𐞀 ab:🆎 ae:æ ao:ꜵ au:ꜷ av:ꜹꜻ ay:ꜽ cl:🆑 cool:🆒 db:ȸ dz:ʣ
  free:🆓 hc:🆦 hdr:🆧 ic:🆋 id:🆔 ll:ỻ lossless:🆩 ls:ʪ𐞙 lz:ʫ𐞚 new:🆕 ng:🆖 oe:œɶ ok:🆗 oo:ꝏ pa:🆌 qp:ȹ
  sa:🆍 shv:🆪 sos:🆘 ss:ß th:þᵺ ts:ʦƾ tz:ꜩ uhd:🆫 vod:🆬 vs:🆚 vy:ꝡ wc:🆏 zw:ƍ
  г:ґ και:ϗ о:ꙩꙫꙭꙮꚙꚛ כ:ך מ:ם נ:ן פ:ף צ:ץ あ:ぁ い:ぃ う:ぅ え:ぇ お:ぉ か:ゕ け:ゖ つ:っ や:ゃ ゆ:ゅ よ:ょ わ:ゎ
`

const LETTERS: ReadonlyMap<string, string> = new Map(
  VARIANTS.trim()
    .split(/\s+/)
    .flatMap((word) => {
      const [letter = '', variants = ''] = word.split(':')
      return Array.from(variants, (variant) => [variant, letter] as const)
    }),
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
