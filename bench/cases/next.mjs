// A page of Next.js that greets the user: with lib-auth/next, with next-auth, and without authentication. All three are
// pages of one application, requested over keep-alive connections.
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { buildApp } from '../../tools/demo-app.mjs'
import { makeNextApp, nextProgram } from '../../tools/next-app.mjs'
import { freePort } from '../../tools/ports.mjs'
import { waitForServer, start } from '../../tools/run.mjs'
import { compare } from '../measure.mjs'
import { assert, signInAt } from '../setup.mjs'

const FROM = fileURLToPath(new URL('../next-app', import.meta.url))
const NAME = 'Ada Lovelace'

/** Seconds of a turn, turns, and connections. */
const SECONDS = 1
const ROUNDS = 12
const CONNECTIONS = 10

async function startApp() {
  const folder = makeNextApp({ from: FROM, name: 'bench' })
  await buildApp(folder, nextProgram(16))
  const port = await freePort()
  const url = `http://localhost:${port}`
  const args = [nextProgram(16), 'start', '--port', String(port), '--hostname', 'localhost']
  const env = { NODE_ENV: 'production', AUTH_SECRET: randomBytes(32).toString('base64url') }
  const server = start(process.execPath, args, { cwd: folder, env })
  await waitForServer(url, server)
  return { url, stop: () => server.stop() }
}

function contender(url, headers) {
  return {
    check: async () => {
      const page = await (await fetch(url, { headers })).text()
      assert(page.includes(`Hello, ${NAME}`), `${url} does not greet ${NAME}`)
      const anonymous = await (await fetch(url)).text()
      assert(!anonymous.includes(NAME), `${url} shows ${NAME} to a visitor`)
    },
    timed: async () => {
      const result = await autocannon({
        url,
        headers,
        connections: CONNECTIONS,
        duration: SECONDS,
      })
      assert(result.errors + result.non2xx === 0, `${url} rejected a request`)
      return (result.duration * 1000) / result['2xx']
    },
  }
}

async function pages() {
  const { url, stop } = await startApp()
  try {
    const cookie = await signInAt(`${url}/api/auth`)
    const nextAuthCookie = await signInAt(`${url}/next-auth`)
    return await compare(
      {
        'lib-auth': contender(`${url}/lib-auth`, { cookie }),
        'next-auth': contender(`${url}/next-auth`, { cookie: nextAuthCookie }),
        limit: contender(`${url}/without-auth`, { 'x-name': NAME }),
      },
      { rounds: ROUNDS, batch: 1 },
    )
  } finally {
    await stop()
  }
}

export const cases = [{ name: 'page of Next.js with auth()', unit: 'requests', run: pages }]
