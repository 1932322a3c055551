import { expect, test } from 'vitest'
import { isDate } from '../../src/adapters/index.ts'

test.each([
  '2026-05-04T03:02Z',
  '2026-05-04T03:02:01Z',
  '2026-05-04T03:02:01.123Z',
  '2026-05-04T03:02:01.123456+02:00',
  '2026-05-04T03:02-11:30',
  '+002026-05-04T03:02:01Z',
  JSON.parse(JSON.stringify(new Date())),
])('%s is the text of a date', (text) => {
  expect(isDate(text)).toBe(true)
})

test.each<[unknown]>([
  ['2026-05-04'],
  ['2026-05-04T03Z'],
  ['2026-05-04T03:02:01'],
  ['2026-05-04 03:02:01Z'],
  ['2026-13-04T03:02:01Z'],
  ['2026-05-04T25:02:01Z'],
  ['born on 2026-05-04T03:02:01Z, they say'],
  ['Monday'],
  [''],
  [1_777_863_721_000],
  [new Date()],
  [null],
  [undefined],
  [{}],
])('%o is not', (value) => {
  expect(isDate(value)).toBe(false)
})
