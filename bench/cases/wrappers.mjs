// A route that reads the session, in a server of each framework: with lib-auth, with the wrapper of Auth.js, and without
// authentication. Each receives the same request, with the session cookie of its sign-in.
import { fileURLToPath } from 'node:url'
import { start } from '../../tools/run.mjs'
import { load } from '../load.mjs'
import { compare, median } from '../measure.mjs'
import { assert, signInAt } from '../setup.mjs'
import { buildSvelteKit } from '../sveltekit-build.mjs'

const SERVERS = fileURLToPath(new URL('../wrapper-servers.mjs', import.meta.url))
const SIGNED_IN = '{"name":"Ada Lovelace"}'

/** Seconds of a turn, and turns. */
const SECONDS = 1
const ROUNDS = 12

async function startServers(framework) {
  const env = { NODE_ENV: 'production' }
  const program = start(process.execPath, [SERVERS, framework], { env })
  while (!program.output().includes('\n')) {
    assert(!program.hasEnded(), program.output())
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return { ...JSON.parse(program.output()), stop: () => program.stop() }
}

/** Microseconds of processor time that the server has used. */
async function readProcessorTime(control) {
  const { user, system } = await (await fetch(control)).json()
  return user + system
}

async function contender(name, { page, cookie }, control) {
  const headers = { cookie }
  const times = []
  return {
    times,
    check: async () => {
      const body = await (await fetch(page, { headers })).text()
      assert(body === SIGNED_IN, `${name}: ${page} answers ${body}`)
      const anonymous = await (await fetch(page)).text()
      assert(name === 'limit' || anonymous === '{"name":null}', `${name}: ${anonymous}`)
    },
    timed: async () => {
      const before = await readProcessorTime(control)
      const count = await load(new URL(page), { headers, body: SIGNED_IN, seconds: SECONDS })
      times.push(((await readProcessorTime(control)) - before) / count)
      return (SECONDS * 1000) / count
    },
  }
}

async function measure(framework) {
  const { pages, control, stop } = await startServers(framework)
  try {
    const contenders = {}
    const ours = pages['lib-auth']
    for (const [name, { page, routes }] of Object.entries(pages)) {
      const cookie = await signInAt(routes ?? ours.routes)
      contenders[name] = await contender(name, { page, cookie }, control)
    }
    const results = await compare(contenders, { rounds: ROUNDS, batch: 1 })
    // Ratios of processor time: the requests per second depend on what else the machine does.
    const own = median(contenders['lib-auth'].times)
    for (const [name, { times }] of Object.entries(contenders)) {
      const processor = median(times)
      Object.assign(results[name], { processor, ratio: processor / own })
    }
    return results
  } finally {
    await stop()
  }
}

const aim = { limit: 0.9 }

function route(name, framework, prepare = () => undefined) {
  const run = async () => {
    await prepare()
    return measure(framework)
  }
  return { name: `route of ${name} with auth()`, aim, unit: 'requests', run }
}

export const cases = [
  route('Express', 'express'),
  route('Fastify', 'fastify'),
  route('Hono', 'hono'),
  route('SvelteKit', 'sveltekit', buildSvelteKit),
]
