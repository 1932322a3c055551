// Routes of one framework in one process: with lib-auth, with the wrapper of Auth.js, and without authentication. Prints
// their URLs as JSON, and the URL of the processor time that this process has used.
import { createServer } from 'node:http'

const NAME = 'Ada Lovelace'

function siteConfig(basePath) {
  return {
    basePath,
    secret: 'thirty-two bytes for a benchmark, or more',
    trustHost: true,
    logger: { error() {}, warn() {} },
    providers: [
      {
        id: 'credentials',
        name: 'Credentials',
        type: 'credentials',
        credentials: { username: {}, password: { type: 'password' } },
        authorize: ({ password }) => (password === 'right' ? { id: '1', name: NAME } : null),
      },
    ],
  }
}

const nameOf = (session) => ({ name: session?.user?.name ?? null })

function expressRoute(read) {
  return (req, res, next) => {
    read(req, res).then((session) => res.json(nameOf(session)), next)
  }
}

const FRAMEWORKS = {
  async express() {
    const { default: express } = await import('express')
    const { default: Lib } = await import('lib-auth/express')
    const { ExpressAuth, getSession } = await import('@auth/express')
    const lib = Lib(siteConfig('/auth'))
    const peers = siteConfig('/auth')
    const ours = express().use(lib.handler)
    ours.get('/me', expressRoute(lib.auth))
    const peer = express().use('/auth', ExpressAuth(peers))
    peer.get(
      '/me',
      expressRoute((req) => getSession(req, peers)),
    )
    const limit = express().get('/me', (_req, res) => res.json({ name: NAME }))
    return { 'lib-auth': ours, '@auth/express': peer, limit }
  },
  async fastify() {
    const { default: Fastify } = await import('fastify')
    const { default: Lib } = await import('lib-auth/fastify')
    const lib = Lib(siteConfig('/auth'))
    const ours = Fastify()
    ours.register(lib.plugin)
    ours.get('/me', (request) => request.auth().then(nameOf))
    const limit = Fastify()
    limit.get('/me', async () => ({ name: NAME }))
    await Promise.all([ours.ready(), limit.ready()])
    const listener = (app) => (req, res) => app.routing(req, res)
    return { 'lib-auth': listener(ours), limit: listener(limit) }
  },
  async hono() {
    const { getRequestListener } = await import('@hono/node-server')
    const { Hono } = await import('hono')
    const { default: Lib } = await import('lib-auth/hono')
    const { authHandler, getAuthUser, initAuthConfig } = await import('@hono/auth-js')
    const lib = Lib(siteConfig('/auth'))
    const ours = new Hono().use(lib.handler)
    ours.get('/me', lib.session, async (c) => c.json(nameOf(await c.var.auth())))
    const peer = new Hono().use(initAuthConfig(() => siteConfig('/auth')))
    peer.use('/auth/*', authHandler())
    peer.get('/me', async (c) => c.json(nameOf((await getAuthUser(c))?.session)))
    const limit = new Hono().get('/me', (c) => c.json({ name: NAME }))
    const listeners = { 'lib-auth': ours, '@hono/auth-js': peer, limit }
    return Object.fromEntries(
      Object.entries(listeners).map(([name, app]) => [name, getRequestListener(app.fetch)]),
    )
  },
}

async function listen(listener) {
  const server = createServer(listener)
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${server.address().port}`
}

/** One application with three routes; other frameworks have an application for each, with the route `/me`. */
async function svelteKitPages() {
  const { handler } = await import('./sveltekit-app/build/handler.js')
  const origin = await listen(handler)
  return {
    'lib-auth': { page: `${origin}/lib-auth`, routes: `${origin}/lib-auth/auth` },
    '@auth/sveltekit': { page: `${origin}/auth-sveltekit`, routes: `${origin}/auth` },
    limit: { page: `${origin}/without-auth` },
  }
}

async function listenAll(listeners) {
  const pages = {}
  for (const [name, listener] of Object.entries(listeners)) {
    const origin = await listen(listener)
    const routes = name === 'limit' ? undefined : `${origin}/auth`
    pages[name] = { page: `${origin}/me`, routes }
  }
  return pages
}

const [framework] = process.argv.slice(2)
const pages =
  framework === 'sveltekit'
    ? await svelteKitPages()
    : await listenAll(await FRAMEWORKS[framework]())
const control = await listen((_req, res) => res.end(JSON.stringify(process.cpuUsage())))
console.log(JSON.stringify({ pages, control }))
