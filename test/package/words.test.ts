/** Comments, messages, documents and test titles use the terms of the field: see "House rules" in CONTRIBUTING.md. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Each pattern with what to write instead. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:some|any|no|every)body\b/i, 'the user, an attacker, no user'],
  [/\bwhoever\b/i, 'the user, the caller'],
  [/\btold\b/i, 'receives, returns, reports'],
  [/(?<!there )\bis none\b/i, 'is not, is missing'],
  [/\bin pieces\b/i, 'in chunks'],
  [/\btaken over\b/i, 'migrated, account takeover'],
  [/\bof no use\b/i, 'invalid'],
  [/twins?\b/i, 'duplicate'],
  [/\bbeside\b/i, 'next to, of the same'],
  [/conceal/i, 'redact'],
  [/\b(?:is|are|was) over\b/i, 'has expired, has ended'],
  [/\btrouble\b/i, 'error, failure, outage'],
  [/\bwish(?:es)?\b/i, 'callbackUrl, return URL'],
  [/\bgo(?:es)? wrong\b/i, 'fails'],
  [/\bof the inside\b/i, 'private, internal'],
  [/\bon (?:the|its|their) way\b/i, 'in transit, pending'],
  [/\b(?:knows|says)\b/i, 'contains, reports, determines'],
  [/\bcom(?:es|ing) back\b/i, 'returns'],
]

function filesBelow(folder: string, pattern: RegExp): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter(
      (file) =>
        pattern.test(file) && !/node_modules|\.next|next-env|^apps\/|^fixtures\//.test(file),
    )
    .map((file) => `${folder}/${file}`)
}

/** The lines of a file with a word of the list, as `file:line: what to write instead`. */
function findings(file: string, isRead: (line: string) => boolean = () => true): string[] {
  const lines = readFileSync(join(ROOT, file), 'utf8').split('\n')
  return lines.flatMap((line, index) =>
    PATTERNS.filter(([pattern]) => isRead(line) && pattern.test(line)).map(
      ([pattern, instead]) => `${file}:${index + 1}: ${pattern.exec(line)?.[0]} → ${instead}`,
    ),
  )
}

const TITLE = /\b(?:test|describe)\b.*['"`]|^\s*['"`].*['"`],$|\)\(\s*['"`]/

describe('plain words', () => {
  test('in the source', () => {
    expect(filesBelow('src', /\.tsx?$/).flatMap((file) => findings(file))).toEqual([])
  })

  test('in documents', () => {
    const own = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md']
    expect([...own, ...filesBelow('docs', /\.md$/)].flatMap((file) => findings(file))).toEqual([])
  })

  test('in test titles', () => {
    const files = filesBelow('test', /\.tsx?$/).filter((file) => !file.endsWith('words.test.ts'))
    expect(files.flatMap((file) => findings(file, (line) => TITLE.test(line)))).toEqual([])
    expect(findings('test/specification/rows.json')).toEqual([])
  })
})
