import { expect, test, vi } from 'vitest'
import { randomDigits } from '../../../../src/core/flows/email/code.ts'

test('random digits have the requested length, and each is equally likely at every place', () => {
  const counts = Array.from({ length: 6 }, () => Array.from({ length: 10 }, () => 0))
  for (let at = 0; at < 20_000; at++) {
    const digits = randomDigits(6)
    expect(digits).toHaveLength(6)
    for (const [place, digit] of digits.split('').entries()) {
      const row = counts[place] ?? []
      row[Number(digit)] = (row[Number(digit)] ?? 0) + 1
    }
  }
  // Chi-squared with 9 degrees of freedom: above 60 with a probability of 1e-9.
  for (const row of counts)
    expect(row.reduce((sum, count) => sum + (count - 2000) ** 2 / 2000, 0)).toBeLessThan(60)
})

test('values that would make some codes more likely are drawn again', () => {
  const values = [2 ** 32 - 1, 4_294_000_000, 4_293_999_999]
  const source = vi.spyOn(crypto, 'getRandomValues').mockImplementation((array) => {
    if (array instanceof Uint32Array) array[0] = values.shift() ?? 0
    return array
  })
  expect(randomDigits(6)).toBe('999999')
  expect(values).toEqual([])
  source.mockRestore()
})
