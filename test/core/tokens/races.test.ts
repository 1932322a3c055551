/** Processes and browsers that act on the same tokens at the same time: none loses them, and none returns an empty one. */
import { afterEach, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type { AccessToken } from '../../../src/index.ts'
import { without } from '../../database.ts'
import { forEachPlace } from './places.ts'
import { pass, unluckySite } from './site.ts'

const MEMORY = Symbol.for('lib-auth.process.1')
const scope = globalThis as { [MEMORY]?: object }

afterEach(() => vi.useRealTimers())

/** Continues as another process. */
function changeProcess(): void {
  scope[MEMORY] = {}
}

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
