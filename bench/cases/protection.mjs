// What the limits cost: a sign-in with credentials with and without them, and one charge in memory and in Redis.
import { createHash, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { Redis } from 'ioredis'
import { Auth } from 'lib-auth'
import RedisAdapter from 'lib-auth/adapters/redis'
import { findRedis, startRedis } from '../../tools/databases.mjs'
import { compare } from '../measure.mjs'
import { assert, common, cookiesOf, credentialsRequest, csrf } from '../setup.mjs'

const hash = promisify(scrypt)

function siteWith(protection, authorize) {
  const credentials = {
    id: 'credentials',
    type: 'credentials',
    credentials: { username: {}, password: { type: 'password' } },
    authorize,
  }
  const config = { ...common, providers: [credentials], protection }
  return (request) => Auth(request, config)
}

/** Signs in again and again in one browser, as a user who returns; `isKnown`: with the cookie of a known browser. */
async function visitor(handle, { isKnown }) {
  const session = await csrf(handle)
  const make = () => {
    const request = credentialsRequest(session)
    request.headers.set('x-client', '192.0.2.1')
    return request
  }
  const response = await handle(make())
  const known = cookiesOf(response)
    .split('; ')
    .find((pair) => pair.startsWith('__Host-lib.known='))
  if (isKnown && known) session.cookie += `; ${known}`
  return {
    check: async () =>
      assert(cookiesOf(await handle(make())).includes('session-token'), 'no session'),
    prepare: make,
    run: handle,
  }
}

async function signIn({ authorize, isKnown = true }, options) {
  const on = siteWith({ clientAddress: { header: 'x-client' } }, authorize)
  const off = siteWith('off', authorize)
  const contenders = {
    'lib-auth': await visitor(on, { isKnown }),
    limit: await visitor(off, { isKnown }),
  }
  return compare(contenders, { clock: 'processor', ...options })
}

const USER = { id: '1', name: 'Ada Lovelace', email: 'ada@example.com' }
const salt = randomBytes(16)

/** The cheapest parameters that OWASP recommends for scrypt. */
async function authorizeWithHash({ password }) {
  await hash(password, salt, 32, { N: 2 ** 14, r: 8, p: 5, maxmem: 2 ** 26 })
  return { ...USER }
}

/** The private module: the package does not export it. */
async function loadProcessLimits() {
  const { outputFiles } = await build({
    entryPoints: ['src/core/limits/memory.ts'],
    bundle: true,
    format: 'esm',
    write: false,
  })
  const source = Buffer.from(outputFiles[0].contents).toString('base64')
  return (await import(`data:text/javascript;base64,${source}`)).processLimits
}

const keyOf = (index) => `limit:password:${createHash('md5').update(String(index)).digest('hex')}`
const rateOf = (index) => ({ key: keyOf(index), burst: 5, per: 900 })

/** One charge, with as many keys as fit, of which half are evicted. */
async function takeInMemory() {
  const limits = await loadProcessLimits()
  const rates = Array.from({ length: 20_000 }, (_, index) => [rateOf(index)])
  const now = Date.now()
  for (const rate of rates) limits.take(rate, now)
  let at = 0
  const contender = {
    check: () => assert(limits.take(rates[0], now).length === 1, 'no decision'),
    run: () => limits.take(rates[at++ % rates.length], now + at),
  }
  return compare({ 'lib-auth': contender }, { batch: 1000, clock: 'processor' })
}

/** Charges of the four keys of a password, in turn with PING, which is the round trip alone. */
async function compareTakes(adapter, client, firstKey) {
  let at = 0
  const next = () => Array.from({ length: 4 }, () => rateOf(firstKey(at++)))
  return compare(
    {
      'lib-auth': {
        check: async () =>
          assert((await adapter.take(next(), Date.now())).length === 4, 'no decision'),
        prepare: next,
        run: (rates) => adapter.take(rates, Date.now()),
      },
      limit: {
        check: async () => assert((await client.ping()) === 'PONG', 'no PONG'),
        run: () => client.ping(),
      },
    },
    { rounds: 30 },
  )
}

const MILLION = 1_000_000

async function usedBytes(client) {
  return Number(/used_memory:(\d+)/.exec(await client.info('memory'))?.[1])
}

/** Stores keys with one charge each, as the script does. */
async function fill(client, count) {
  const until = Date.now() + 3_600_000
  for (let from = 0; from < count; from += 10_000) {
    const batch = client.pipeline()
    for (let index = from; index < from + 10_000; index++)
      batch.set(`lib-auth:${keyOf(index)}`, String(until), 'PX', 3_600_000)
    await batch.exec()
  }
}

async function withRedis(work) {
  const server = await startRedis()
  const client = new Redis(server.url)
  try {
    return await work(client, RedisAdapter(client))
  } finally {
    client.disconnect()
    await server.end()
  }
}

function takeInRedis(count) {
  return withRedis(async (client, adapter) => {
    await fill(client, count)
    return compareTakes(adapter, client, (at) => (at * 7919) % Math.max(count, MILLION))
  })
}

/** Bytes of each of a million keys. */
function memoryInRedis() {
  return withRedis(async (client) => {
    const before = await usedBytes(client)
    await fill(client, MILLION)
    const bytes = (await usedBytes(client)) - before
    return { 'lib-auth': { bytes, ratio: 1 } }
  })
}

const redisCases = [
  { name: 'protection: charge of four keys in Redis, empty', run: () => takeInRedis(0) },
  {
    name: 'protection: charge of four keys in Redis, 1,000,000 keys',
    run: () => takeInRedis(MILLION),
  },
  { name: 'protection: memory of 1,000,000 keys in Redis', run: memoryInRedis },
]

export const cases = [
  {
    name: 'protection: sign-in with scrypt',
    aim: { slower: 0.05 },
    run: () => signIn({ authorize: authorizeWithHash }, { rounds: 20, batch: 1 }),
  },
  {
    name: 'protection: sign-in without a hash, known browser',
    aim: { slower: 0.05 },
    run: () => signIn({ authorize: () => ({ ...USER }) }),
  },
  {
    name: 'protection: sign-in without a hash, new browser',
    aim: { slower: 0.05 },
    run: () => signIn({ authorize: () => ({ ...USER }), isKnown: false }),
  },
  { name: 'protection: charge in memory, 10,000 keys', aim: { most: 2 }, run: takeInMemory },
  ...(findRedis() ? redisCases : []),
]
