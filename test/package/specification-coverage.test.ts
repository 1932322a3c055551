/** Each row of test/specification/rows.json is covered by a test: a comment `// Covers: <row>` above the test names the rows. */
import { describe, expect, test } from 'vitest'
import { errorTable } from '../../src/errors/table.ts'
import { ids, notBuilt, sections, uncovered, unknown } from '../../tools/specification-coverage.mjs'

describe('the specification', () => {
  test('has a test for each row, except those in notBuilt', () => {
    expect(uncovered).toEqual([])
    expect(ids.length).toBeGreaterThan(480)
  })

  test('has a unique id for each row', () => {
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

  test('contains every row that a comment above a test names', () => {
    expect(unknown).toEqual([])
  })

  test('has a row for each type of error', () => {
    const types = Object.values(sections['Types of errors'] ?? {}).map(
      (requirement) => /^`(\w+)`: /.exec(requirement)?.[1],
    )
    expect(types).toEqual(Object.keys(errorTable))
  })

  test('lacks only WebAuthn and single providers', () => {
    const rows: Record<string, string> = Object.assign({}, ...Object.values(sections))
    expect(notBuilt.filter((id) => !/WebAuthn|single providers/i.test(rows[id] ?? ''))).toEqual([])
  })
})
