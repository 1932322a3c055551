// A route that reads the session, in a server of each framework: with our wrapper, with the established one, and the
// same route without authentication.
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { start } from '../../tools/run.mjs'
import { compare } from '../measure.mjs'
import { assert, signInAt } from '../setup.mjs'

const SERVERS = fileURLToPath(new URL('../wrapper-servers.mjs', import.meta.url))
const SIGNED_IN = '{"name":"Ada Lovelace"}'

/** Seconds of a turn, turns, and connections. */
const SECONDS = 1
const ROUNDS = 12
const CONNECTIONS = 10

async function startServers(framework) {
  const env = { NODE_ENV: 'production' }
  const program = start(process.execPath, [SERVERS, framework], { env })
  while (!program.output().includes('\n')) {
    assert(!program.hasEnded(), program.output())
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return { origins: JSON.parse(program.output()), stop: () => program.stop() }
}

async function contender(name, origin) {
  const url = `${origin}/me`
  const headers = name === 'limit' ? {} : { cookie: await signInAt(`${origin}/auth`) }
  return {
    check: async () => {
      const body = await (await fetch(url, { headers })).text()
      assert(body === SIGNED_IN, `${name}: ${url} answers ${body}`)
      const anonymous = await (await fetch(url)).text()
      assert(name === 'limit' || anonymous === '{"name":null}', `${name}: ${anonymous}`)
    },
    timed: async () => {
      const load = { url, headers, connections: CONNECTIONS, duration: SECONDS }
      const result = await autocannon(load)
      assert(result.errors + result.non2xx === 0, `${url} rejected a request`)
      return (result.duration * 1000) / result['2xx']
    },
  }
}

async function measure(framework) {
  const { origins, stop } = await startServers(framework)
  try {
    const entries = Object.entries(origins).map(async ([name, origin]) => [
      name,
      await contender(name, origin),
    ])
    const contenders = Object.fromEntries(await Promise.all(entries))
    return await compare(contenders, { rounds: ROUNDS, batch: 1 })
  } finally {
    await stop()
  }
}

const aim = { limit: 0.9 }

export const cases = [
  { name: 'route of Express with auth()', aim, unit: 'requests', run: () => measure('express') },
  { name: 'route of Fastify with auth()', aim, unit: 'requests', run: () => measure('fastify') },
  { name: 'route of Hono with auth()', aim, unit: 'requests', run: () => measure('hono') },
]
