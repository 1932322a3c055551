/** docs/asvs.md: each requirement of both chapters once, with a known status, and with files that exist. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const text = readFileSync(`${ROOT}/docs/asvs.md`, 'utf8')

/** How many requirements each section of OWASP ASVS 5.0.0 has. */
const SECTIONS = { 6: [3, 12, 8, 6, 8, 4, 2, 4], 7: [3, 4, 2, 5, 3, 2] } as const

const STATUS = ['Met', 'Option', 'Partly', 'Application', 'Not built', 'Not applicable']

const rows = text
  .split('\n')
  .map((line) => line.split(/\s*\|\s*/).slice(1, -1))
  .filter(([number = '']) => /^\d+\.\d+\.\d+$/.test(number))

test('each requirement of the chapters has one row, in order', () => {
  const numbers = Object.entries(SECTIONS).flatMap(([chapter, counts]) =>
    counts.flatMap((count, section) =>
      Array.from({ length: count }, (_each, index) => `${chapter}.${section + 1}.${index + 1}`),
    ),
  )
  expect(rows.map(([number]) => number)).toEqual(numbers)
})

test.each(rows)('%s (level %s, %s) has a status and a reason', (_number, level, _what, ...rest) => {
  const [status = '', how = ''] = rest
  expect(['1', '2', '3']).toContain(level)
  expect(STATUS).toContain(status)
  expect(how).not.toBe('')
  expect(rest).toHaveLength(2)
})

test('the files that it names exist', () => {
  const files = [...text.matchAll(/`((?:test|src)\/[^`]+)`/g)].map(([, file = '']) => file)
  expect(files.length).toBeGreaterThan(20)
  expect(files.filter((file) => !existsSync(`${ROOT}/${file}`))).toEqual([])
})
