// Guesses a password 34 times at the same time, in a process of its own: node guessing-site.mjs <url of Redis>
import { once } from 'node:events'
import Redis from 'ioredis'
import RedisAdapter from 'lib-auth/adapters/redis'
import Credentials from 'lib-auth/providers/credentials'
import { browser } from 'lib-auth/testing'

const [url = ''] = process.argv.slice(2)

let calls = 0
const warnings = []
const config = {
  secret: 'a secret for tests, with enough characters',
  basePath: '/auth',
  trustHost: true,
  store: RedisAdapter(new Redis(url)),
  logger: { error: () => undefined, warn: (code) => void warnings.push(code) },
  providers: [
    Credentials({
      id: 'password',
      credentials: { username: {}, password: {} },
      authorize: () => {
        calls++
        return null
      },
    }),
  ],
}
const tab = browser(config)
const guess = (username) => tab.post('callback/password', { username, password: 'wrong' })
// Opens the connection.
await guess(`warm-up-${process.pid}`)
calls = 0
process.send('ready')
await once(process, 'message')
await Promise.all(Array.from({ length: 34 }, () => guess('ada')))
process.send({ calls, warnings })
process.disconnect()
process.exit(0)
