// Answers requests in a process of its own: node session-site.mjs <database> <issuer>
import { Auth } from 'lib-auth'
import { governSessions, listSessions, revokeOtherSessions } from 'lib-auth/sessions'
import { openAdapter, providerOf } from '../process-site.mjs'

const [database = '', issuer = ''] = process.argv.slice(2)

const adapter = openAdapter(database)

const provider = providerOf(issuer)

const configs = new Map()

function configOf(options) {
  const key = JSON.stringify(options)
  const { session, logout } = options
  if (!configs.has(key))
    configs.set(key, {
      ...(session.strategy === 'jwt' ? { store: adapter } : { adapter }),
      secret: 'a secret for tests, with enough characters',
      basePath: '/auth',
      trustHost: true,
      protection: 'off',
      session,
      ...(logout && { logout }),
      callbacks: {
        session: ({ session: read, user, token }) => ({
          ...read,
          user: { ...read.user, id: user?.id ?? token?.sub },
        }),
      },
      providers: [provider],
      logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
    })
  return configs.get(key)
}

const CALLS = {
  async request(config, { path, method, headers, body }) {
    const init = { method, headers, ...(body && { body: new URLSearchParams(body) }) }
    const response = await Auth(new Request(`https://app.test/auth/${path}`, init), config)
    return {
      status: response.status,
      location: response.headers.get('location'),
      cookies: response.headers.getSetCookie(),
      body: await response.text(),
    }
  },
  list: async (config, { headers }) => {
    const { value } = await listSessions({ headers: new Headers(headers) }, config)
    return value && value.sessions
  },
  revokeOthers: async (config, { headers }) =>
    (await revokeOtherSessions({ headers: new Headers(headers) }, config)).value,
  revokeAll: (config, { userId }) => governSessions(config).revokeAll(userId),
}

process.on('message', ({ id, options, call, given }) => {
  CALLS[call](configOf(options), given).then(
    (value) => process.send({ id, value }),
    (error) => process.send({ id, error: String(error) }),
  )
})
process.on('disconnect', () => process.exit())
process.send('ready')
