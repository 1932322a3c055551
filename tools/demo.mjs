// npm run demo: builds the library and an example, starts the servers, and stops them with Ctrl-C.
import { join, relative } from 'node:path'
import { APPS, buildApp, startDemo } from './demo-app.mjs'
import { firstScreen, serverScreen } from './demo-screen.mjs'
import {
  buildFrameworkDemo,
  FRAMEWORKS,
  nodeProblem,
  SERVERS,
  startServerDemo,
} from './demo-server.mjs'
import { run, untilCtrlC } from './run.mjs'
import { exampleFolder, installFolder, isInstalled } from './separate-installs.mjs'

const SESSIONS = ['database', 'jwt']
const PORTS = { port: 3000, providerPort: 4000 }

const TITLES = {
  ...SERVERS,
  ...Object.fromEntries(Object.entries(FRAMEWORKS).map(([name, { title }]) => [name, title])),
}

const HELP = `npm run demo                   Next.js, with the App Router
${Object.entries(TITLES)
  .map(([name, title]) => `npm run demo -- ${name.padEnd(14)} ${title}`)
  .join('\n')}

With Next.js, users and sessions are in an SQLite database, in the file demo.db of the example. ROUTER=pages shows the
Pages Router; with SESSIONS=jwt sessions are in cookies.`

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

async function startNext() {
  const sessions = choice('SESSIONS', SESSIONS)
  const router = choice('ROUTER', Object.keys(APPS))
  const app = APPS[router]
  await step('Building the library', () => run(process.execPath, ['tools/build.mjs']))
  await step('Building the application (about ten seconds)', () => buildApp(app))
  const demo = await step('Starting the OpenID provider, the mail server and the application', () =>
    startDemo({ ...PORTS, app, sessions }),
  )
  const inbox = router === 'app' ? `${demo.url}/mail` : demo.inbox
  const databaseFile = relative('', join(app, 'demo.db'))
  console.log(firstScreen({ url: demo.url, issuer: demo.issuer, inbox, sessions, databaseFile }))
  return demo
}

async function prepareFramework(name) {
  const { title } = FRAMEWORKS[name]
  const folder = exampleFolder(name)
  if (!isInstalled(folder))
    await step(`Installing ${title}, once (about a minute)`, () => installFolder(folder))
  await step('Building the application (up to a minute)', () => buildFrameworkDemo(name))
}

async function startServer(name) {
  const isFramework = Object.hasOwn(FRAMEWORKS, name)
  const problem = isFramework ? nodeProblem(name) : undefined
  if (problem) throw new Error(problem)
  await step('Building the library', () => run(process.execPath, ['tools/build.mjs']))
  if (isFramework) await prepareFramework(name)
  const demo = await step(`Starting the OpenID provider and ${TITLES[name]}`, () =>
    startServerDemo(name, PORTS),
  )
  const file = isFramework ? FRAMEWORKS[name].source : 'server.mjs'
  console.log(serverScreen({ ...demo, source: `examples/${name}/${file}` }))
  return demo
}

async function main(name = 'next') {
  if (name === '--help' || name === '-h') return console.log(HELP)
  if (name === 'next') return untilCtrlC(await startNext())
  if (Object.hasOwn(TITLES, name)) return untilCtrlC(await startServer(name))
  throw new Error(`There is no example "${name}".\n\n${HELP}`)
}

try {
  await main(process.argv[2])
} catch (error) {
  console.error(`\nThe demo could not be started.\n${error.message}`)
  process.exit(1)
}
