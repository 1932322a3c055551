// Answers requests in a process of its own: node account-process.mjs <database> <issuer>
import { Auth } from 'lib-auth'
import { mergeUser, unlinkAccount } from 'lib-auth/account'
import { confirmFactor, enrollFactor } from 'lib-auth/factors'
import { Password } from 'lib-auth/password'
import { openAdapter, providerOf } from '../process-site.mjs'

const [database = '', issuer = ''] = process.argv.slice(2)

const adapter = openAdapter(database, ['records', 'factors', 'passwords'])
const provider = providerOf(issuer)
const mails = []

/** Takes no time: the passwords of the test are random. */
const hasher = { hash: (password) => password, verify: (password, hash) => password === hash }

const configs = new Map()

function configOf({ strategy }) {
  if (!configs.has(strategy))
    configs.set(strategy, {
      adapter,
      secret: 'a secret for tests, with enough characters',
      basePath: '/auth',
      trustHost: true,
      protection: 'off',
      session: strategy === 'jwt' ? { strategy, revocation: {} } : { strategy },
      secondStep: {},
      account: {
        mergeUsers: () => undefined,
        send: (mail) => void mails.push({ to: mail.to, url: mail.url }),
      },
      providers: [provider, { ...provider, id: 'other' }, Password({ hasher })],
      logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
    })
  return configs.get(strategy)
}

const requestOf = ({ cookie }) => {
  const headers = { cookie, origin: 'https://app.test', 'sec-fetch-site': 'same-origin' }
  return new Request('https://app.test/account', { method: 'POST', headers })
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
  mails: async () => mails,
  enroll: async (config, given) => (await enrollFactor(requestOf(given), config)).value,
  async confirm(config, { enrollment, ...given }) {
    const { value, headers } = await confirmFactor(requestOf(given), config, enrollment)
    return { ...value, cookies: headers.getSetCookie() }
  },
  merge: async (config, given) =>
    (await mergeUser(requestOf(given), config, { redirectTo: '/account' })).value,
  unlink: async (config, { key, ...given }) =>
    (await unlinkAccount(requestOf(given), config, key)).value,
  accounts: (_config, { userId }) => adapter.listAccounts(userId),
  userOf: async (_config, { email }) => (await adapter.getUserByEmail(email))?.id ?? null,
  link: (_config, account) => adapter.linkAccount(account),
}

process.on('message', ({ id, options, call, given }) => {
  CALLS[call](configOf(options), given).then(
    (value) => process.send({ id, value: value ?? null }),
    (error) => process.send({ id, error: String(error.type ?? error) }),
  )
})
process.on('disconnect', () => process.exit())
process.send('ready')
