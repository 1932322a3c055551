/** What MariaDB takes for the same name has the same limits: all characters of Unicode, in its collations without case. */
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

const CHUNK = 5000

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
      const letters = new Map(LETTERS.map((letter) => [weights.get(letter), letter]))
      const lettersOf = (weight: string) =>
        letters.get(weight) ??
        (weight.match(/.{4}/g) ?? []).map((each) => letters.get(each) ?? '?').join('')
      const fold = (name: string) => {
        const readings = foldName('account', name)
        return readings[index] ?? readings[0]
      }
      const missed = Array.from(weights, ([character, weight]) => [character, lettersOf(weight)])
        .filter(([, same = '']) => !same.includes('?'))
        .filter(([character, same]) => fold(`x${character}y`) !== fold(`x${same}y`))
        .map(([character = '', same]) => `U+${character.codePointAt(0)?.toString(16)} = "${same}"`)
      expect(missed).toEqual([])
    })
  })
})
