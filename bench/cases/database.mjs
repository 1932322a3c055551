// Sessions in a database (in memory, so that only the library is timed), large sessions, and concurrent reads.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Auth as PeerAuth } from '@auth/core'
import { Auth, getSession } from 'lib-auth'
import MemoryAdapter from 'lib-auth/adapters/memory'
import { handleByHand, lookUpByHand } from '../limit.mjs'
import { compare } from '../measure.mjs'
import {
  assert,
  common,
  cookiesOfAll,
  openid,
  ORIGIN,
  request,
  sessionCookies,
  sites,
} from '../setup.mjs'

const EMAIL = 'ada@example.com'

/** A configuration with one session, and its cookie. */
async function withSession(sessionCookie) {
  const adapter = MemoryAdapter()
  const user = await adapter.createUser({ name: 'Ada', email: EMAIL, emailVerified: null })
  const expires = new Date(Date.now() + 30 * 24 * 60 * 60 * 1000)
  await adapter.createSession({ sessionToken: 'a'.repeat(64), userId: user.id, expires })
  const config = { ...common, adapter, providers: [openid], session: { strategy: 'database' } }
  return { config, cookie: `${sessionCookie}=${'a'.repeat(64)}` }
}

const ours = await withSession(sites['lib-auth'].sessionCookie)
const peers = await withSession(sites['@auth/core'].sessionCookie)

function overRoute(contenders) {
  return Object.fromEntries(
    Object.entries(contenders).map(([name, { handle, cookie, next = () => cookie }]) => [
      name,
      {
        check: async () => {
          const body = await (await handle(request('session', { cookie: next() }))).json()
          assert(body?.user?.email === EMAIL, `${name}: wrong session`)
        },
        prepare: () => request('session', { cookie: next() }),
        run: handle,
      },
    ]),
  )
}

function stored() {
  return compare(
    overRoute({
      'lib-auth': { handle: (each) => Auth(each, ours.config), cookie: ours.cookie },
      '@auth/core': { handle: (each) => PeerAuth(each, peers.config), cookie: peers.cookie },
      limit: {
        handle: (each) => handleByHand(each, (cookie) => lookUpByHand(ours.config.adapter, cookie)),
        cookie: ours.cookie,
      },
    }),
  )
}

function databaseDirect() {
  const headers = new Headers({
    host: 'app.test',
    'x-forwarded-proto': 'https',
    cookie: ours.cookie,
  })
  const readers = {
    'lib-auth': async () => (await getSession(headers, ours.config)).session,
    '@auth/core': async () => {
      const reading = new Request(`${ORIGIN}/auth/session`, { headers: { cookie: peers.cookie } })
      return (await PeerAuth(reading, peers.config)).json()
    },
    limit: () => lookUpByHand(ours.config.adapter, headers.get('cookie')),
  }
  return compare(
    Object.fromEntries(
      Object.entries(readers).map(([name, run]) => [
        name,
        { check: async () => assert((await run())?.user?.email === EMAIL, name), run },
      ]),
    ),
  )
}

/** Sessions of 9 kB in chunked cookies: more of them than the cache of decrypted tokens holds. */
const LARGE = { count: 40, claims: { notes: 'n'.repeat(6400) } }

async function large() {
  const cookies = await cookiesOfAll(LARGE)
  return compare(
    overRoute({
      'lib-auth': { handle: sites['lib-auth'].handle, next: cookies['lib-auth'].next },
      '@auth/core': { handle: sites['@auth/core'].handle, next: cookies['@auth/core'].next },
      limit: { handle: (each) => handleByHand(each), next: cookies.limit.next },
    }),
  )
}

/** 256 concurrent reads; the time is that of one. */
async function concurrentReads() {
  const cookies = await cookiesOfAll(LARGE)
  const handlers = {
    'lib-auth': sites['lib-auth'].handle,
    '@auth/core': sites['@auth/core'].handle,
    limit: (each) => handleByHand(each),
  }
  const contenders = Object.entries(cookies).map(([name, { next }]) => [
    name,
    {
      check: async () => undefined,
      timed: async () => {
        const requests = Array.from({ length: 256 }, () => request('session', { cookie: next() }))
        const begin = performance.now()
        const responses = await Promise.all(requests.map((each) => handlers[name](each)))
        const time = (performance.now() - begin) / requests.length
        assert(
          responses.every(({ status }) => status === 200),
          `${name}: a request failed`,
        )
        return time
      },
    },
  ])
  return compare(Object.fromEntries(contenders), { rounds: 10, batch: 2 })
}

/** Bytes of the heap retained after 200,000 reads. Measured for `lib-auth` only. */
async function growth(count) {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  const { next } = await sessionCookies('lib-auth', { count })
  const read = async (reads) => {
    for (let index = 0; index < reads; index++) {
      const headers = { host: 'app.test', 'x-forwarded-proto': 'https', cookie: next() }
      await sites['lib-auth'].direct(new Headers(headers))
    }
    collect()
    return process.memoryUsage().heapUsed
  }
  // With several sessions, the growth of the cache is part of the result.
  const before = await read(count === 1 ? 20_000 : 1)
  return { 'lib-auth': { bytes: Math.max(0, (await read(200_000)) - before) } }
}

export const cases = [
  { name: 'database session over Auth()', aim: { peer: 5 }, run: stored },
  { name: 'database session, direct', aim: { peer: 60 }, run: databaseDirect },
  { name: 'session of 9 kB over Auth()', aim: { peer: 23 }, run: large },
  { name: '256 reads at once, each', aim: { peer: 12 }, run: concurrentReads },
  { name: 'heap after 200,000 reads', aim: { bytes: 100_000 }, run: () => growth(1) },
  {
    name: 'heap after 200,000 reads of 10,000 sessions',
    aim: { bytes: 1_000_000 },
    run: () => growth(10_000),
  },
]
