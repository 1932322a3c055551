/** The recipes of docs/guides/other-servers.md: Koa, h3, Elysia and NestJS. */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { bundleGuide, bundleRecipe, startProgram } from '../../runtimes/guide-program.ts'
import type { Recipe } from '../../runtimes/guide-program.ts'
import { testHttp } from '../../runtimes/test-http.ts'
import { startRecipe } from '../../runtimes/recipe-server.ts'
import { findFramework, findRuntime } from '../../services.ts'
import { conformance } from '../../frameworks/conformance/index.ts'
import type { Exceptions } from '../../frameworks/conformance/index.ts'
import { opener } from '../../frameworks/conformance/site.ts'
import { sessionFunctionRows } from '../../frameworks/conformance/session-functions.ts'
import { tokenRows } from '../../frameworks/conformance/tokens.ts'
import { rawClient } from '../../frameworks/raw-client.ts'

const recipes = (await findFramework('recipes')) ?? ''

/** Below node_modules, where the programs find their packages. */
function openFolder(application: string): string {
  const folder = join(application, 'node_modules/.programs')
  if (application) mkdirSync(folder, { recursive: true })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const folder = openFolder(recipes)

const bun = await findRuntime('bun')
const node = [process.execPath]

const RECIPES = [
  {
    name: 'koa.ts with Koa 3',
    program: node,
    entry: `import { app } from './koa'
const server = app.listen(0, '127.0.0.1', () => console.log('port ' + server.address().port))`,
  },
  {
    name: 'h3.ts with h3 2',
    program: node,
    entry: `import { serve } from 'h3'
import { app } from './h3'
const server = await serve(app, { port: 0, hostname: '127.0.0.1', silent: true }).ready()
console.log('port ' + new URL(server.url).port)`,
  },
  {
    name: 'elysia.ts with Elysia 1.4 on Bun',
    program: bun ? [bun, 'run'] : null,
    entry: `import { app } from './elysia'
app.listen({ port: 0, hostname: '127.0.0.1' })
console.log('port ' + app.server.port)`,
  },
  {
    name: 'nest.ts with NestJS 12',
    program: node,
    entry: `import 'reflect-metadata'
import { createApp } from './nest'
const app = await createApp()
await app.listen(0, '127.0.0.1')
console.log('port ' + app.getHttpServer().address().port)`,
  },
]

const external = ['koa', 'h3', 'elysia', '@nestjs/*', 'reflect-metadata', 'rxjs', 'express']

async function start(program: readonly string[], entry: string) {
  const code = await bundleGuide(entry, { platform: 'node', external })
  return startProgram(program, { code, folder })
}

for (const { name, program, entry } of RECIPES)
  describe.skipIf(!recipes || !program)(name, () => testHttp(() => start(program ?? [], entry)))

test.skipIf(!recipes)(
  'the NestJS recipe answers 401 to a signed-out user, and our errors with their status',
  async () => {
    const entry = RECIPES.at(-1)?.entry ?? ''
    const { origin, stop } = await start(node, entry)
    const user = rawClient(origin)
    expect((await user.send('/account')).status).toBe(401)
    const csrfToken = await user.csrfToken()
    const form = { csrfToken, username: 'ada', password: 'correct horse battery staple' }
    await user.send('/auth/callback/password', { form })
    expect((await user.send('/account')).body).toBe('Your account')
    const untrusted = await user.send('/account', { headers: { host: 'evil.example' } })
    const { error } = JSON.parse(untrusted.body)
    expect([untrusted.status, error]).toEqual([400, 'Configuration'])
    user.close()
    await stop()
  },
)

/** Ends also while connections are open. */
const CLOSE = `const close = (server) => () => {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(resolve))
}
`

const SERVERS: readonly (Recipe & { readonly exceptions?: Exceptions })[] = [
  {
    name: 'koa.ts with Koa 3',
    entry: `import { app } from './koa'
${CLOSE}
export const listen = () =>
  new Promise((resolve) => {
    app.silent = true
    const server = app.listen(0, '127.0.0.1', () =>
      resolve({ port: server.address().port, stop: close(server) }))
  })`,
  },
  {
    name: 'h3.ts with h3 2',
    // srvx marks the body as being read, so that Node.js does not discard the rest of a rejected one.
    exceptions: { closesConnection: true, leavesConnection: true },
    entry: `import { serve } from 'h3'
import { app } from './h3'
export async function listen() {
  const server = await serve(app, { port: 0, hostname: '127.0.0.1', silent: true }).ready()
  return { port: Number(new URL(server.url).port), stop: () => server.close(true) }
}`,
  },
  {
    name: 'nest.ts with NestJS 12',
    entry: `import 'reflect-metadata'
import { createApp } from './nest'
${CLOSE}
export async function listen() {
  const app = await createApp()
  await app.listen(0, '127.0.0.1')
  const server = app.getHttpServer()
  return { port: server.address().port, stop: close(server) }
}`,
  },
]

for (const { name, entry, exceptions } of recipes ? SERVERS : []) {
  const file = join(folder, `${name.split('.')[0]}.mjs`)
  await bundleRecipe({ name, entry, external }, file)
  conformance(name, startRecipe(file), exceptions, { isRecipe: true })
}

/** How the code of an application describes errors of `getAccessToken` and of `requireAuth`. */
const DESCRIBE = `import { SessionRequired, StepUpRequired } from 'lib-auth/errors'
const describe = ({ type, code }) => ({ type, code })
function requirement(error) {
  if (!(error instanceof StepUpRequired || error instanceof SessionRequired)) throw error
  const { status, headers, type, url } = error
  return { status, headers, body: { error: type, url } }
}
`

/** Routes that call functions of the module that the guide names for a server. */
const CALL_SERVERS: readonly ((typeof SERVERS)[number] & {
  /** Whose packages it uses. @default 'recipes' */
  readonly application?: 'nuxt'
})[] = [
  {
    name: 'koa-calls.ts with Koa 3',
    exceptions: { throwsStatus: 401 },
    entry: `import Koa from 'koa'
import Lib from 'lib-auth/node'
import { config } from './config'
${CLOSE}
${DESCRIBE}
const lib = Lib(config)
const app = new Koa()
app.use((ctx, next) =>
  new Promise((resolve, reject) => {
    ctx.res.once('close', resolve)
    lib.handler(ctx.req, ctx.res, (error) => (error ? reject(error) : resolve(next())))
  }))
app.use(async (ctx) => {
  const { req, res } = ctx
  if (ctx.path === '/token') {
    if (ctx.search === '?late') {
      res.writeHead(200)
      ctx.respond = false
    }
    const token = await lib.getAccessToken(req, res, 'op').catch(describe)
    if (ctx.search === '?late') res.end(JSON.stringify(token))
    else ctx.body = token
  } else if (ctx.path === '/scopes') {
    const redirect = ctx.search !== '?stay'
    const url = await lib.requestScopes(req, res, 'op', ['calendar'], { redirectTo: '/page', redirect })
    if (!redirect) ctx.body = url
  } else if (ctx.path === '/sessions') {
    const { sid } = ctx.query
    const { list, revoke, revokeOthers } = lib.sessions
    const value = await (ctx.method === 'GET'
      ? list(req, res)
      : sid === undefined ? revokeOthers(req, res) : revoke(req, res, sid))
    ctx.type = 'json'
    ctx.body = JSON.stringify(value)
  } else if (ctx.path === '/assured') {
    const assured = await lib.requireAuth(req, res, { maxAge: 900 }).catch((error) => {
      if (ctx.search === '?thrown') throw error
      const { status, headers, body } = requirement(error)
      ctx.status = status
      ctx.set(headers)
      return body
    })
    ctx.body = assured
  } else if (ctx.path === '/me') {
    ctx.type = 'json'
    ctx.body = JSON.stringify(await lib.auth(req, res))
  } else if (ctx.path === '/page') {
    ctx.body = (await lib.auth(req, res))?.user?.name ?? 'stranger'
  } else if (ctx.path === '/guarded') {
    if (await lib.protect(req, res)) ctx.body = 'secret for the user'
  }
})
export const listen = () =>
  new Promise((resolve) => {
    app.silent = true
    const server = app.listen(0, '127.0.0.1', () =>
      resolve({ port: server.address().port, stop: close(server) }))
  })`,
  },
  {
    name: 'h3-calls.ts with h3 2',
    exceptions: { dropsLateCookies: true, throwsStatus: 401 },
    entry: `import { H3, serve } from 'h3'
import { Auth, getAccessToken, getSession, requestScopes, requireAuth } from 'lib-auth'
import { listSessions, revokeOtherSessions, revokeSession } from 'lib-auth/sessions'
import { config } from './config'
${DESCRIBE}
const app = new H3()
  .all('/auth/**', (event) => Auth(event.req, config))
  .get('/token', async ({ req }) => {
    const { value, headers } = await getAccessToken(req, config, 'op').catch((error) => ({
      value: describe(error),
    }))
    return Response.json(value, { headers })
  })
  .post('/scopes', async ({ req, url }) => {
    const options = { redirectTo: '/page' }
    const { value, headers } = await requestScopes(req, config, 'op', ['calendar'], options)
    if (url.search === '?stay') return new Response(value, { headers })
    headers.set('location', value)
    return new Response(null, { status: 303, headers })
  })
  .get('/sessions', async ({ req }) => {
    const { value, headers } = await listSessions(req, config)
    return Response.json(value, { headers })
  })
  .post('/sessions', async ({ req, url }) => {
    const sid = url.searchParams.get('sid')
    const { value, headers } = await (sid === null
      ? revokeOtherSessions(req, config)
      : revokeSession(req, config, sid))
    return Response.json(value, { headers })
  })
  .get('/assured', async ({ req, url }) => {
    try {
      const { value, headers } = await requireAuth(req, config, { maxAge: 900 })
      return Response.json(value, { headers })
    } catch (error) {
      if (url.search === '?thrown') throw error
      const { status, headers, body } = requirement(error)
      return Response.json(body, { status, headers })
    }
  })
  .get('/me', async ({ req }) => Response.json((await getSession(req, config)).session))
  .get('/page', async ({ req }) => (await getSession(req, config)).session?.user?.name ?? 'stranger')
  .get('/guarded', async ({ req }) =>
    (await getSession(req, config)).session ? 'secret for the user' : 'stranger')
export async function listen() {
  const server = await serve(app, { port: 0, hostname: '127.0.0.1', silent: true }).ready()
  return { port: Number(new URL(server.url).port), stop: () => server.close(true) }
}`,
  },
  {
    name: 'h3-1-calls.ts with h3 1, as in Nuxt',
    application: 'nuxt',
    exceptions: { throwsStatus: 401 },
    entry: `import { createServer } from 'node:http'
import { createApp, eventHandler, fromNodeMiddleware, toNodeListener } from 'h3'
import Lib from 'lib-auth/node'
import { config } from './config'
${CLOSE}
${DESCRIBE}
const lib = Lib(config)
const json = (res, status, body, headers = {}) =>
  res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const ROUTES = {
  async '/token'(req, res, search) {
    if (search === 'late') res.writeHead(200)
    const token = await lib.getAccessToken(req, res, 'op').catch(describe)
    if (search !== 'late') return token
    res.end(JSON.stringify(token))
  },
  async '/scopes'(req, res, search) {
    const redirect = search !== 'stay'
    const url = await lib.requestScopes(req, res, 'op', ['calendar'], { redirectTo: '/page', redirect })
    if (!redirect) return url
  },
  async '/sessions'(req, res, search) {
    const sid = new URLSearchParams(search).get('sid')
    const { list, revoke, revokeOthers } = lib.sessions
    const value = await (req.method === 'GET'
      ? list(req, res)
      : sid === null ? revokeOthers(req, res) : revoke(req, res, sid))
    json(res, 200, value)
  },
  async '/assured'(req, res, search) {
    try {
      return await lib.requireAuth(req, res, { maxAge: 900 })
    } catch (error) {
      if (search === 'thrown') throw error
      const { status, headers, body } = requirement(error)
      json(res, status, body, headers)
    }
  },
  '/me': async (req, res) => json(res, 200, await lib.auth(req, res)),
  '/page': async (req, res) => (await lib.auth(req, res))?.user?.name ?? 'stranger',
  async '/guarded'(req, res) {
    if (await lib.protect(req, res)) return 'secret for the user'
  },
}
const app = createApp()
app.use(fromNodeMiddleware(lib.handler))
app.use(eventHandler(({ path, node: { req, res } }) => {
  const [pathname, search] = path.split('?')
  return ROUTES[pathname]?.(req, res, search)
}))
export const listen = () =>
  new Promise((resolve) => {
    const server = createServer(toNodeListener(app))
    server.listen(0, '127.0.0.1', () => resolve({ port: server.address().port, stop: close(server) }))
  })`,
  },
  {
    name: 'nest-calls.ts with NestJS 12',
    exceptions: { throwsStatus: 500 },
    entry: `import 'reflect-metadata'
import { Controller, Get, Module, Next, Post, Req, Res } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import Lib from 'lib-auth/express'
import { config } from './config'
${CLOSE}
${DESCRIBE}
const lib = Lib(config)
@Controller()
class Site {
  @Get('token')
  async token(@Req() req, @Res({ passthrough: true }) res) {
    const isLate = 'late' in req.query
    if (isLate) res.writeHead(200)
    const token = await lib.getAccessToken(req, res, 'op').catch(describe)
    if (!isLate) return token
    res.end(JSON.stringify(token))
  }
  @Post('scopes')
  async scopes(@Req() req, @Res() res) {
    const redirect = !('stay' in req.query)
    const url = await lib.requestScopes(req, res, 'op', ['calendar'], { redirectTo: '/page', redirect })
    if (!redirect) res.status(200).send(url)
  }
  @Get('sessions')
  async list(@Req() req, @Res() res) {
    res.json(await lib.sessions.list(req, res))
  }
  @Post('sessions')
  async end(@Req() req, @Res() res) {
    const { sid } = req.query
    const { revoke, revokeOthers } = lib.sessions
    res.status(200).json(await (sid === undefined ? revokeOthers(req, res) : revoke(req, res, sid)))
  }
  @Get('assured')
  async assured(@Req() req, @Res() res) {
    try {
      res.json(await lib.requireAuth(req, res, { maxAge: 900 }))
    } catch (error) {
      if ('thrown' in req.query) throw error
      const { status, headers, body } = requirement(error)
      res.status(status).set(headers).json(body)
    }
  }
  @Get('me')
  async me(@Req() req, @Res() res) {
    res.json(await lib.auth(req, res))
  }
  @Get('page')
  async page(@Req() req, @Res() res) {
    res.send((await lib.auth(req, res))?.user?.name ?? 'stranger')
  }
  @Get('guarded')
  async guarded(@Req() req, @Res() res, @Next() next) {
    await lib.protect()(req, res, (error) => (error ? next(error) : res.send('secret for the user')))
  }
}
@Module({ controllers: [Site] })
class AppModule {}
export async function listen() {
  const app = await NestFactory.create(AppModule, { logger: false })
  app.use(lib.handler)
  await app.listen(0, '127.0.0.1')
  const server = app.getHttpServer()
  return { port: server.address().port, stop: close(server) }
}`,
  },
]

for (const { name, application = 'recipes', entry, exceptions = {} } of CALL_SERVERS) {
  const installed = await findFramework(application)
  if (!installed) continue
  const file = join(openFolder(installed), `${name.split('.')[0]}.mjs`)
  await bundleRecipe({ name, entry, external }, file)
  describe(name, () => {
    const open = opener(startRecipe(file))
    tokenRows(open, exceptions)
    // Their guarded routes have no requirements.
    sessionFunctionRows(open, { ...exceptions, decidesInHandlers: true })
  })
}
