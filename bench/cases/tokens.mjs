// What a valid access token of a provider costs, over reading the session.
import { Auth, getAccessToken, getSession } from 'lib-auth'
import MemoryAdapter from 'lib-auth/adapters/memory'
import { compare } from '../measure.mjs'
import { assert, common, cookiesOf, op, openid, signInAtProvider } from '../setup.mjs'

async function tokens(options) {
  const config = { ...common, providers: [openid], fetch: op.fetch, ...options }
  const { response } = await signInAtProvider((incoming) => Auth(incoming, config))
  const request = () =>
    new Request('https://app.test/', { headers: { host: 'app.test', cookie: cookiesOf(response) } })
  const read = async (incoming) => (await getAccessToken(incoming, config, 'op')).value
  return compare(
    {
      'lib-auth': {
        check: async () => assert((await read(request())).accessToken, 'no access token'),
        prepare: request,
        run: read,
      },
      limit: {
        check: async () => assert((await getSession(request(), config)).session, 'no session'),
        prepare: request,
        run: (incoming) => getSession(incoming, config),
      },
    },
    { clock: 'processor' },
  )
}

const jwt = { session: { strategy: 'jwt' }, tokens: {} }

export const cases = [
  {
    name: 'access token in cookies',
    aim: { more: 5 },
    run: () => tokens(jwt),
  },
  {
    name: 'access token with the account, and a jwt session',
    aim: { more: 5 },
    run: () => tokens({ ...jwt, adapter: MemoryAdapter() }),
  },
]
