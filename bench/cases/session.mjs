// Reading the session: over the route, and directly; signed in and signed out.
import { randomUUID } from 'node:crypto'
import { Auth, getSession } from 'lib-auth'
import MemoryAdapter from 'lib-auth/adapters/memory'
import { decode } from 'lib-auth/jwt'
import { handleByHand, readByHand } from '../limit.mjs'
import { compare } from '../measure.mjs'
import {
  assert,
  common,
  cookiesOf,
  cookiesOfAll,
  openid,
  op,
  request,
  SECRET,
  sessionCookies,
  signInAtProvider,
  sites,
} from '../setup.mjs'

function overRoute(cookies, handlers, expected) {
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handle]) => [
      name,
      {
        check: async () => {
          const body = await (
            await handle(request('session', { cookie: cookies[name]?.next() }))
          ).json()
          assert(body?.user?.email === expected, `${name}: wrong session`)
        },
        prepare: () => request('session', { cookie: cookies[name]?.next() }),
        run: handle,
      },
    ]),
  )
}

function headersWith(cookie) {
  const headers = new Headers({ host: 'app.test', 'x-forwarded-proto': 'https' })
  if (cookie) headers.set('cookie', cookie)
  return headers
}

function directly(cookies, readers, expected) {
  return Object.fromEntries(
    Object.entries(readers).map(([name, read]) => [
      name,
      {
        check: async () => {
          const session = await read(headersWith(cookies[name]?.next()))
          assert(session?.user?.email === expected, `${name}: wrong session`)
        },
        prepare: () => headersWith(cookies[name]?.next()),
        run: read,
      },
    ]),
  )
}

const routes = {
  'lib-auth': sites['lib-auth'].handle,
  '@auth/core': sites['@auth/core'].handle,
  limit: async (each) => handleByHand(each),
}
const readers = {
  'lib-auth': sites['lib-auth'].direct,
  '@auth/core': sites['@auth/core'].direct,
  limit: async (headers) => readByHand(headers.get('cookie') ?? ''),
}
const EMAIL = 'ada@example.com'
const ONE = { count: 1 }

/**
 * A read that looks at the deny-list, of which the process remembers what it needs, and one without it, of the same tokens:
 * those of a sign-in with revocation.
 */
async function compareRevocation({ count, route = false }) {
  const plain = { ...common, providers: [openid], fetch: op.fetch, session: { strategy: 'jwt' } }
  const session = { ...plain.session, revocation: { maxStaleness: 5 } }
  const revocable = { ...plain, store: MemoryAdapter(), session }
  const { response } = await signInAtProvider((incoming) => Auth(incoming, revocable))
  const { sessionCookie: salt } = sites['lib-auth']
  const [, token] = new RegExp(`${salt}=([^;]+)`).exec(cookiesOf(response))
  const { auth_time, lib } = await decode({ token, secret: SECRET, salt })
  assert(lib?.sid, 'the token has no facts')
  const claims = () => ({ auth_time, lib: { ...lib, sid: randomUUID() } })
  const options = { count, claims }
  const cookies = {
    'lib-auth': await sessionCookies('lib-auth', options),
    limit: await sessionCookies('lib-auth', options),
  }
  const handle = (config) => (incoming) => Auth(incoming, config)
  const read = (config) => async (headers) => (await getSession(headers, config)).session
  const contender = route ? handle : read
  const contenders = { 'lib-auth': contender(revocable), limit: contender(plain) }
  const sides = (route ? overRoute : directly)(cookies, contenders, EMAIL)
  return compare(sides, { clock: 'processor', warmUp: 400 })
}

export const cases = [
  {
    name: 'session read over Auth()',
    aim: { limit: 0.85 },
    run: async () => compare(overRoute(await cookiesOfAll(), routes, EMAIL)),
  },
  {
    name: 'session read, direct',
    aim: { limit: 0.85 },
    run: async () => compare(directly(await cookiesOfAll(), readers, EMAIL)),
  },
  {
    name: 'session read over Auth(), cached token',
    run: async () => compare(overRoute(await cookiesOfAll(ONE), routes, EMAIL)),
  },
  {
    name: 'session read, direct, cached token',
    run: async () => compare(directly(await cookiesOfAll(ONE), readers, EMAIL)),
  },
  {
    name: 'session read over Auth() with maxStaleness: 5, over one without revocation, new token',
    aim: { slower: 0.03 },
    run: () => compareRevocation({ count: 1000, route: true }),
  },
  {
    name: 'session read with maxStaleness: 5, over one without revocation, new token',
    aim: { slower: 0.03 },
    run: () => compareRevocation({ count: 1000 }),
  },
  {
    name: 'session read with maxStaleness: 5, over one without revocation, cached token',
    aim: { slower: 0.03 },
    run: () => compareRevocation(ONE),
  },
  {
    name: 'signed out over Auth()',
    aim: { peer: 5.5 },
    run: () => compare(overRoute({}, routes, undefined)),
  },
  {
    name: 'signed out, direct',
    aim: { peer: 120 },
    run: () => compare(directly({}, readers, undefined)),
  },
]
