/** Processes and browsers that act on the same tokens at the same time: none loses them, and none returns an empty one. */
import { afterEach, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type { AccessToken, Adapter } from '../../../src/index.ts'
import { without } from '../../database.ts'
import { forEachPlace } from './places.ts'
import { changeProcess, pass, TOKEN, unluckySite } from './site.ts'

afterEach(() => vi.useRealTimers())

const soon = (milliseconds: number) =>
  new Promise((resolve) => void setTimeout(resolve, milliseconds))

await forEachPlace(
  (place) => {
    test('a process that waits while another one loses the grant is told so', async () => {
      const site = await unluckySite(place)
      pass(601)
      let other: Promise<AccessToken> | undefined
      site.onRefresh = async () => {
        changeProcess()
        other = site.read()
        other.catch(() => undefined)
        await soon(60)
        return Response.json({ error: 'invalid_grant' }, { status: 400 })
      }
      const refused = { type: 'AccessTokenError', code: 'reconnect' }
      await expect(site.read()).rejects.toMatchObject(refused)
      await expect(other).rejects.toMatchObject(refused)
      expect(site.sent).toHaveLength(1)
    })
  },
  ['account', 'store'],
)

test('without a store for leases, a process that was too late keeps the tokens of the other one', async () => {
  const openAdapter = async () => without(MemoryAdapter(), 'writeRecord')
  const site = await unluckySite({ where: 'account', strategy: 'database', openAdapter })
  pass(601)
  let other: Promise<AccessToken> | undefined
  site.onRefresh = async (response) => {
    if (site.sent.length > 1) return Response.json({ error: 'invalid_grant' }, { status: 400 })
    changeProcess()
    other = site.read()
    other.catch(() => undefined)
    await soon(200)
    return response
  }
  const won = await site.read()
  expect(await other).toEqual(won)
  expect(site.sent).toHaveLength(2)
  expect(await site.read()).toEqual(won)
})

test('without a store for leases, a refusal is final within two seconds', async () => {
  const openAdapter = async () => without(MemoryAdapter(), 'writeRecord')
  const site = await unluckySite({ where: 'account', strategy: 'database', openAdapter })
  pass(601)
  site.onRefresh = () => Response.json({ error: 'invalid_grant' }, { status: 400 })
  const began = performance.now()
  await expect(site.read()).rejects.toMatchObject({ type: 'AccessTokenError', code: 'reconnect' })
  expect(performance.now() - began).toBeLessThan(10_000)
})

test.each(['of the same call', 'of another process'])(
  'new tokens are stored although the record was extended meanwhile (by a read %s)',
  async (reader) => {
    const memory = MemoryAdapter()
    let failures = 0
    const adapter: Adapter = {
      ...memory,
      async writeRecord(record, ...expected) {
        if (record.key.startsWith('tokens:') && failures-- > 0)
          throw new Error('The store is down.')
        return memory.writeRecord(record, ...expected)
      },
    }
    const openAdapter = async () => adapter
    const site = await unluckySite({ where: 'store', strategy: 'jwt', openAdapter })
    const half = 15 * 24 * 60 * 60
    pass(half - 24 * 60 * 60)
    // Extends the session, and not the tokens.
    await site.tab.session()
    pass(24 * 60 * 60 - 10)
    if (reader === 'of the same call') {
      pass(20)
      failures = 1
    } else
      site.onRefresh = async (response) => {
        site.onRefresh = (later) => later
        changeProcess()
        pass(20)
        await site.read({ scope: ['none'] }).catch(() => undefined)
        return response
      }
    await site.read()
    changeProcess()
    pass(601)
    expect((await site.read()).accessToken).toMatch(TOKEN)
    expect(new Set(site.sent).size).toBe(2)
  },
)

test('keys that do not arrive do not take the time in which the tokens are stored', async () => {
  const openAdapter = async () => MemoryAdapter()
  const site = await unluckySite({ where: 'account', strategy: 'database', openAdapter })
  pass(25 * 60 * 60)
  site.op.misbehaviour.jwks = () => new Promise(() => undefined)
  const began = performance.now()
  const tokens = await site.read()
  expect(performance.now() - began).toBeLessThan(10_000)
  changeProcess()
  expect(await site.read()).toEqual(tokens)
})
