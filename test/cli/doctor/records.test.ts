/** `doctor` reports a store that cannot be read, or that loses records. */
import { afterAll, expect, test } from 'vitest'
import { applicationWith, cleanUp, GOOD_SECRET, examineFolder } from './run-doctor.ts'

afterAll(cleanUp)

const ENV = { AUTH_SECRET: GOOD_SECRET, AUTH_URL: 'https://app.test' }

/** The findings about records. */
async function examine(options: string) {
  const code = `
    import MemoryAdapter from 'lib-auth/adapters/memory'
    import RedisAdapter from 'lib-auth/adapters/redis'
    const redis = (info, error) => RedisAdapter({
      async call(command) {
        if (command !== 'INFO') return null
        if (error) throw error
        return info
      },
    })
    const broken = (message) => ({ ...MemoryAdapter(), async readRecords() { throw new Error(message) } })
    const password = { id: 'password', name: 'Password', type: 'credentials', authorize: () => null }
    export const config = { providers: [password], session: { strategy: 'jwt' }, ${options} }
  `
  const { about, code: exit } = await examineFolder(applicationWith({ 'auth.mjs': code }), [], ENV)
  return { lines: about('records'), exit }
}

const EVICTS =
  '! records: maxmemory-policy of Redis is allkeys-lru: when its memory is full, it deletes rows before they expire, so that limits start over and a passkey response can be used again. → Run: redis-cli config set maxmemory-policy noeviction'
const info = (policy: string) => `'# Memory\\r\\nmaxmemory_policy:${policy}\\r\\n'`

test.each([
  ['a store', `store: redis(${info('allkeys-lru')})`, [EVICTS]],
  ['an adapter', `adapter: redis(${info('allkeys-lru')})`, [EVICTS]],
  ['a loaded adapter', `adapter: async () => redis(${info('allkeys-lru')})`, [EVICTS]],
  ['a store that keeps its rows', `store: redis(${info('noeviction')})`, []],
  ['a server that hides its policy', `store: redis(null)`, []],
  ['a user who may not run INFO', `store: redis(null, new Error('NOPERM'))`, []],
  ['memory', `store: MemoryAdapter()`, []],
  ['no store', '', []],
])('reports a Redis server that evicts rows (%s)', async (_name, options, lines) => {
  expect(await examine(options)).toEqual({ lines, exit: 0 })
})

test('reports a store that cannot be read, such as one whose table is missing', async () => {
  const { lines, exit } = await examine(`store: broken('no such table: records')`)
  expect(lines).toEqual([
    '! records: the store cannot be read: no such table: records → If the table is missing, create it: npx lib-auth migrate --with records, or print it for Drizzle or Prisma: npx lib-auth schema --with records',
  ])
  expect(exit).toBe(0)
})

test('reports an invalid store as an error', async () => {
  expect(await examine(`store: {}`)).toEqual({ lines: [], exit: 1 })
})
