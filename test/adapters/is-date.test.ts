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
])('accepts %s', (text) => {
  expect(isDate(text)).toBe(true)
})

test.each<[unknown]>([
  ['2026-05-04'],
  ['2026-05-04T03Z'],
  ['2026-05-04T03:02:01'],
  ['2026-05-04 03:02:01Z'],
  ['2026-13-04T03:02:01Z'],
  ['2026-05-04T25:02:01Z'],
  ['born on 2026-05-04T03:02:01Z in London'],
  ['Monday'],
  [''],
  [1_777_863_721_000],
  [new Date()],
  [null],
  [undefined],
  [{}],
])('rejects %o', (value) => {
  expect(isDate(value)).toBe(false)
})
