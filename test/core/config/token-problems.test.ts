/** Wrong values of the option `tokens`. */
import { expect, test } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { getSession } from '../../../src/index.ts'
import { SECRET, silentLog } from '../../config.ts'

/** A memory adapter without these methods. */
const without = (...names: string[]) =>
  Object.fromEntries(
    Object.entries(MemoryAdapter()).filter(([name]) => !names.includes(name)),
  ) as ReturnType<typeof MemoryAdapter>

/** The first problem, or `null`. */
async function problemOf(options: object): Promise<string | null> {
  const { logger } = silentLog()
  const config: AuthConfig = { providers: [], secret: SECRET, trustHost: true, logger, ...options }
  const request = new Request('https://app.test/', { headers: { host: 'app.test' } })
  try {
    await getSession(request, config)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : 'no error'
  }
}

test.each<[string, object]>([
  ['tokens is not an object', { tokens: true }],
  ['tokens.where', { tokens: { where: 'database' } }],
  ['tokens.stored', { tokens: { stored: 'hashed' } }],
  ['tokens.onLostGrant', { tokens: { onLostGrant: true } }],
  ['tokens.revokeOnSignOut', { tokens: { revokeOnSignOut: 'always' } }],
  ["Write ['google']", { tokens: { refreshInProxy: 'google' } }],
  ['tokens.refreshBefore', { tokens: { refreshBefore: -1 } }],
  ['a number of seconds from 0 to 3600', { tokens: { grace: 3601 } }],
  ['there is no adapter', { tokens: { where: 'account' } }],
  [
    'the adapter lacks updateAccount. Add',
    { tokens: { where: 'account' }, adapter: without('updateAccount') },
  ],
  [
    'the adapter lacks listAccounts and updateAccount',
    { tokens: { where: 'account' }, adapter: without('listAccounts', 'updateAccount') },
  ],
  ['no records can be stored', { tokens: { where: 'store' } }],
  [
    'no records can be stored',
    { tokens: { where: 'store' }, adapter: without('writeRecord', 'readRecords') },
  ],
])('%s: %o', async (expected, options) => {
  expect(await problemOf(options)).toContain(expected)
})

test.each([
  { tokens: {} },
  { tokens: { where: 'cookie' } },
  { tokens: { where: 'account' }, adapter: MemoryAdapter() },
  { tokens: { where: 'account' }, adapter: async () => MemoryAdapter() },
  { tokens: { where: 'store' }, store: MemoryAdapter() },
  { tokens: { refreshBefore: 0, grace: 0, refreshInProxy: [] } },
])('%o is right', async (options) => {
  expect(await problemOf(options)).toBeNull()
})
