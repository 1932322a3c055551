// Reading the session: over the route, and directly; signed in and signed out.
import { handleByHand, readByHand } from '../limit.mjs'
import { compare } from '../measure.mjs'
import { assert, request, signedInCookies, sites } from '../setup.mjs'

function overRoute(cookies, handlers, expected) {
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handle]) => [
      name,
      {
        check: async () => {
          const body = await (await handle(request('session', { cookie: cookies[name] }))).json()
          assert(body?.user?.email === expected, `${name}: wrong session`)
        },
        prepare: () => request('session', { cookie: cookies[name] }),
        run: handle,
      },
    ]),
  )
}

function directly(cookies, readers, expected) {
  return Object.fromEntries(
    Object.entries(readers).map(([name, read]) => {
      const headers = new Headers({ host: 'app.test', 'x-forwarded-proto': 'https' })
      if (cookies[name]) headers.set('cookie', cookies[name])
      return [
        name,
        {
          check: async () =>
            assert((await read(headers))?.user?.email === expected, `${name}: wrong session`),
          run: () => read(headers),
        },
      ]
    }),
  )
}

const signedIn = {
  'lib-auth': await signedInCookies(sites['lib-auth']),
  '@auth/core': await signedInCookies(sites['@auth/core']),
}
signedIn.limit = signedIn['lib-auth']

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

export const cases = [
  {
    name: 'session read over Auth()',
    aim: { limit: 0.85 },
    run: () => compare(overRoute(signedIn, routes, EMAIL)),
  },
  {
    name: 'session read, direct',
    aim: { limit: 0.85 },
    run: () => compare(directly(signedIn, readers, EMAIL)),
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
