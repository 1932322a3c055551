// npm run demo: builds the library and an example, starts the servers, and stops them with Ctrl-C.
// ROUTER=pages shows the Pages Router instead of the App Router. Users and sessions are in an SQLite database, in the
// file demo.db of the example; with SESSIONS=jwt sessions are in cookies.
import { join, relative } from 'node:path'
import { APPS, buildApp, startDemo } from './demo-app.mjs'
import { firstScreen } from './demo-screen.mjs'
import { run, untilCtrlC } from './run.mjs'

const SESSIONS = ['database', 'jwt']

/** The value of an environment variable: one of these, the first when it is not set. */
function choice(name, values) {
  const value = process.env[name] || values[0]
  if (values.includes(value)) return value
  throw new Error(`${name} is "${value}"; it can be ${values.join(' or ')}.`)
}

async function step(message, work) {
  process.stdout.write(`${message} … `)
  const start = Date.now()
  const result = await work()
  process.stdout.write(`${((Date.now() - start) / 1000).toFixed(1)} s\n`)
  return result
}

async function main() {
  const sessions = choice('SESSIONS', SESSIONS)
  const router = choice('ROUTER', Object.keys(APPS))
  const app = APPS[router]
  await step('Building the library', () => run(process.execPath, ['tools/build.mjs']))
  await step('Building the application (about ten seconds)', () => buildApp(app))
  const demo = await step('Starting the OpenID provider, the mail server and the application', () =>
    startDemo({ app, port: 3000, providerPort: 4000, sessions }),
  )
  const inbox = router === 'app' ? `${demo.url}/mail` : demo.inbox
  const databaseFile = relative('', join(app, 'demo.db'))
  console.log(firstScreen({ url: demo.url, issuer: demo.issuer, inbox, sessions, databaseFile }))
  await untilCtrlC(demo)
}

try {
  await main()
} catch (error) {
  console.error(`\nThe demo could not be started.\n${error.message}`)
  process.exit(1)
}
