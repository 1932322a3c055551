/** A table of records does not grow without end: writes delete some of the expired rows. */
import { expect, test } from 'vitest'
import type { Adapter } from '../../../src/adapters/index.ts'

/** Registers the tests for an adapter with a table of records. */
export function testExpiredRecords(adapter: Adapter): void {
  const write = async (key: string, owner: string, age: number) =>
    adapter.writeRecord?.({ key, value: '1', owner, expires: new Date(Date.now() - age) })

  test('deletes expired records while others are written, and no others', async () => {
    const owner = `expired-${process.pid}-${Date.now()}`
    await write(`${owner}:valid`, owner, -600_000)
    await write(`${owner}:just-expired`, owner, 1000)
    for (let index = 0; index < 600; index++) await write(`${owner}:${index}`, owner, 600_000)
    const left = (await adapter.listRecords?.(owner)) ?? []
    expect(left.length).toBeLessThan(100)
    const keys = left.map(({ key }) => key)
    expect(keys).toEqual(expect.arrayContaining([`${owner}:valid`, `${owner}:just-expired`]))
  })
}
