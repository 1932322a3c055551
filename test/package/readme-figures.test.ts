/** The figures of the README are those of the performance reference. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const read = (file: string) =>
  readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8')

test('the README repeats ratios of docs/reference/performance.md', () => {
  const rows = read('docs/reference/performance.md')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
  // Of rows with the same name, the first one counts; the others are ranges.
  const ratios = new Map(rows.toReversed().map(([, name = '', , , ratio]) => [name, ratio]))
  const figures = [...read('README.md').matchAll(/^\| ([^|]+) \| ([\d.]+×) \|$/gm)].map(
    ([, name = '', ratio]) => ({ name: name.replaceAll('`', ''), ratio }),
  )
  expect(figures.length).toBeGreaterThan(4)
  expect(figures.filter(({ name, ratio }) => ratios.get(name) !== ratio)).toEqual([])
})
