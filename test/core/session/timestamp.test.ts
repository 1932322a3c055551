import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { timestamp } from '../../../src/core/session/timestamp.ts'

test('a timestamp has the format of ISO 8601 with milliseconds', () => {
  expect(timestamp(new Date(0))).toBe('1970-01-01T00:00:00.000Z')
  expect(timestamp(new Date('2026-02-28T23:59:59.999Z'))).toBe('2026-02-28T23:59:59.999Z')
})

test('a timestamp of any date equals that of toISOString', () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), (date) => {
      expect(timestamp(date)).toBe(date.toISOString())
    }),
    {
      examples: [
        [new Date('0000-01-01T00:00:00.000Z')],
        [new Date('0999-12-31T23:59:59.999Z')],
        [new Date('1000-01-01T00:00:00.000Z')],
        [new Date('9999-12-31T23:59:59.999Z')],
        [new Date('+010000-01-01T00:00:00.000Z')],
        [new Date(-1)],
        [new Date('2024-02-29T12:00:00.000Z')],
      ],
    },
  )
})

test('an invalid date throws a RangeError', () => {
  expect(() => timestamp(new Date(Number.NaN))).toThrow(RangeError)
})
