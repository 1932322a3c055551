/** What MariaDB or ICU takes for the same name has the same limits: all characters of Unicode, in collations without case. */
import { createPool } from 'mysql2/promise'
import type { RowDataPacket } from 'mysql2/promise'
import { afterAll, describe, expect, test } from 'vitest'
import { foldName } from '../../../src/core/limits/names.ts'
import { withDatabases } from '../../adapters/databases.ts'

/** Letters of names that an attacker could spell with other characters, and the empty text for those that are ignored. */
const LETTERS = Array.from(
  'abcdefghijklmnopqrstuvwxyz0123456789абвгдежзиклмнопрстуфхцчшщъыьэюяєіѣαβγδεζηθικλμνξοπρστυφχψω',
)

const CODE_POINTS = Array.from({ length: 0x110000 }, (_, code) => code).filter((code) =>
  /[^\p{Cn}\p{Co}\p{Cs}]/u.test(String.fromCodePoint(code)),
)

/** Each with the reading of a name that is the same for all its spellings in this collation. */
const COLLATIONS = [
  ['utf8mb4_general_ci', 3],
  ['utf8mb4_unicode_ci', 2],
  ['utf8mb4_unicode_520_ci', 1],
  ['utf8mb4_uca1400_ai_ci', 1],
] as const

/** The reading that does not distinguish characters above U+FFFF. */
const PLANE = 2

const CHUNK = 5000

test('no character gives a name new limits with the collation of ICU for base letters', () => {
  const { compare } = new Intl.Collator('en', { sensitivity: 'base' })
  const sorted = CODE_POINTS.map((code) => String.fromCodePoint(code)).sort(compare)
  const apart: string[] = []
  let equal = new Map<string, readonly string[]>()
  for (const [index, character] of sorted.entries()) {
    if (compare(sorted[index - 1] ?? '', character) !== 0) equal = new Map()
    const names = foldName('account', `x${character}y`)
    for (const others of equal.values())
      if (!names.some((name) => others.includes(name))) apart.push(`${character} = ${others[0]}`)
    equal.set(names.join(), names)
  }
  expect(sorted.length).toBeGreaterThan(140_000)
  expect(apart).toEqual([])
})

await withDatabases(['mariadb'], ({ mariadb }) => {
  const pool = createPool({ uri: mariadb.url, charset: 'utf8mb4' })
  afterAll(() => pool.end())

  /** What the server compares, by character, in hexadecimal digits; empty if the character is ignored. */
  async function readWeights(collation: string): Promise<Map<string, string>> {
    const weights = new Map<string, string>()
    for (let start = 0; start < CODE_POINTS.length; start += CHUNK) {
      const rows = CODE_POINTS.slice(start, start + CHUNK).map(
        (code) => `select ${code} code, _utf32 x'${code.toString(16).padStart(8, '0')}' text`,
      )
      const text = `convert(text using utf8mb4) collate ${collation}`
      const [found] = await pool.query<RowDataPacket[]>(
        `select code, hex(weight_string(${text})) weight from (${rows.join(' union all ')}) t`,
      )
      for (const { code, weight } of found)
        weights.set(String.fromCodePoint(Number(code)), String(weight).replace(/^0+$/, ''))
    }
    return weights
  }

  describe.each(COLLATIONS)('with %s', (collation, index) => {
    test('no character gives a name new limits', async () => {
      const weights = await readWeights(collation)
      expect(weights.size).toBeGreaterThan(140_000)
      const characters = Array.from(weights, ([character, weight]) => [weight, character] as const)
      // Last, as the ones to compare with.
      const letters = new Map([
        ...characters.toReversed(),
        ...LETTERS.map((letter) => [weights.get(letter) ?? '', letter] as const),
        ['', ''],
      ])
      const lettersOf = (weight: string) =>
        letters.get(weight) ??
        (weight.match(/.{4}/g) ?? []).map((each) => letters.get(each) ?? '?').join('')
      const fold = (name: string) => {
        const readings = foldName('account', name)
        return [readings[index] ?? readings[0], readings[PLANE] ?? readings[0]]
      }
      const missed = characters
        .filter(([weight, character]) => {
          const same = lettersOf(weight)
          if (same === character || same.includes('?')) return false
          const [own, other] = [fold(`x${character}y`), fold(`x${same}y`)]
          return own.every((name, at) => name !== other[at])
        })
        .map(
          ([weight, character]) =>
            `U+${character.codePointAt(0)?.toString(16)} = "${lettersOf(weight)}"`,
        )
      expect(missed).toEqual([])
    })
  })
})
