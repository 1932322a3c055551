/** The record of what a release promises. To write it: npm run contract. */
import { expect, test } from 'vitest'
import { readContract } from './contract.ts'

test('etc/contract.json is what the source has', async () => {
  const text = `${JSON.stringify(await readContract(), null, 2)}\n`
  await expect(text).toMatchFileSnapshot('../../etc/contract.json')
})
