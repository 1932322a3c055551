/** Letters and digits that collations without accents and case treat as others, and that have no decomposition. */
import { oncePerKey, setBounded } from '../async/cache.ts'

/** Letters whose stroke or hook MariaDB, MySQL or other software ignores, but not ICU. */
const VARIANTS =
  '1:৴ 2:৵ 3:৶ 4:৷ a:ⱥ b:ƀɓƃ c:ȼƈ d:ɖɗƌ e:ɇəǝɛ f:ƒ g:ǥɠ h:ɦⱨ i:ıɨɩ j:ɉȷ k:ƙĸⱪ l:ƚɫⱡꝉ n:ŋɲƞ o:ɵɔꝋ ' +
  'p:ƥᵽ q:ɋ r:ɍɽ s:ȿ t:ŧƭʈⱦ u:ʉ v:ʋ w:ⱳ y:ɏƴ z:ƶȥɀ oe:ɶ th:þ ᴈ:ɜ 儿:𖿲 兒:𖿳'

/** CJK radicals from U+2E80 on, as ideographs. */
const RADICALS =
  '丶厂乛乚乙亻冂几刀刂卜卩小小尢尣尢尣巳幺彑彐忄心扌攵-旡日月歺-民氵氺灬爫爫丬牛犭王疋目示礻竹糹纟罓罒罓罓罒羊羊羋耂肀聿' +
  '肉臼艹艹艹虎衤覀西见角角讠贝足车辶辶辶邑钅長镸长门阜阝雨青韦页风飞食飠飠饣首马骨鬼鱼鸟鹵麦黄黾齊齐齒齿龍龙龜龜'

const LETTERS: ReadonlyMap<string, string> = new Map([
  ...VARIANTS.split(' ').flatMap((word) => {
    const [letter = '', variants = ''] = word.split(':')
    return Array.from(variants, (variant) => [variant, letter] as const)
  }),
  ...Array.from(
    RADICALS,
    (ideograph, at) => [String.fromCodePoint(0x2e80 + at), ideograph] as const,
  ),
])

/** Capitals of Georgian in lower case, which MySQL treats as the letters 7,216 code points before them. */
const GEORGIAN = /[ⴀ-ⴥ]/g

/** Letters and digits that ICU does not distinguish from one character: a ligature, or a sign with letters. */
const LIGATURES =
  '120p 2k 3d 4k 60p 8k aa ab ae ao au av ay cl cool db dz free hc hdr ic id ll lossless ls lz new ng oe ok oo pa qp sa shv sos ' +
  'ss th ts tz uhd vod vs vy wc zw και a/s'

/** Letters with variants that ICU does not distinguish. */
const BASES =
  `abcdefghijklmnopqrstuvwxyz'"` +
  'гоכמנפצあいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわゐゑをん〱〳ᴉʩ' +
  'ءامنويیܒܓܕܛܣܦߖߗߙᳩꣲൎᮃᮊᮙརᯀᯂᯅᯇᯉᯋᯎᯒᯔᯖᯘᯛᯞꦫᚠᚢᚦᚨᚲᚹᚺᚾᛁᛃᛅᛈᛊᛏᛒᛗᛚᛜᛦꕘꕪꕮꖇꗑㄅㄆㄊㄍㄎㄏㄐㄗㄚㄛㄜㄞㄠㄧㄨㆤ'

/** Finds the letter whose variant a character is. Created for the first name that is not ASCII: it takes milliseconds. */
const createFolding = oncePerKey((letters: ReadonlyMap<string, string>) => {
  const { compare } = new Intl.Collator('en', { sensitivity: 'base' })
  const numbers = Array.from({ length: 81 }, (_, number) => String(number))
  const sorted = [...numbers, ...LIGATURES.split(' '), ...Array.from(BASES)].sort(compare)
  const found = new Map<string, string>()

  function findBase(character: string): string {
    let [start, end] = [0, sorted.length]
    while (start < end) {
      const middle = (start + end) >> 1
      if (compare(sorted[middle] ?? '', character) < 0) start = middle + 1
      else end = middle
    }
    const base = sorted[start] ?? ''
    return compare(base, character) === 0 ? base : character
  }

  return (character: string): string =>
    letters.get(character) ??
    found.get(character) ??
    setBounded(found, [character, findBase(character)], 10_000)
})

/** Of text in lower case, after compatibility decomposition. */
export function foldLetters(text: string): string {
  return text
    .replace(GEORGIAN, (letter) => String.fromCharCode(letter.charCodeAt(0) - 7216))
    .replace(/\P{ASCII}/gu, (character) => createFolding(LETTERS)(character))
}
