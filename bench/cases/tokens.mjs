// What a valid access token of a provider costs, over reading the session and what the adapter does.
import { Auth, getAccessToken, getSession } from 'lib-auth'
import MemoryAdapter from 'lib-auth/adapters/memory'
import { compare } from '../measure.mjs'
import { assert, common, cookiesOf, op, openid, signInAtProvider } from '../setup.mjs'

async function tokens(options) {
  // With a verified address, the session shows that it may use the account.
  const providers = [{ ...openid, trustEmail: true }]
  const config = { ...common, providers, fetch: op.fetch, ...options }
  const { response } = await signInAtProvider((incoming) => Auth(incoming, config))
  const request = () =>
    new Request('https://app.test/', { headers: { host: 'app.test', cookie: cookiesOf(response) } })
  const read = async (incoming) => (await getAccessToken(incoming, config, 'op')).value
  const { adapter } = options
  const { session } = await getSession(request(), config)
  const { id } = (await adapter?.getUserByEmail(session.user.email)) ?? {}
  const limit = async (incoming) => {
    const result = await getSession(incoming, config)
    await adapter?.listAccounts(id)
    return result
  }
  return compare(
    {
      'lib-auth': {
        check: async () => assert((await read(request())).accessToken, 'no access token'),
        prepare: request,
        run: read,
      },
      limit: {
        check: async () => assert((await limit(request())).session, 'no session'),
        prepare: request,
        run: limit,
      },
    },
    { clock: 'processor', warmUp: 400 },
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
