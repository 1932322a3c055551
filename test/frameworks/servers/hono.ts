import { createServer } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { CredentialsSignin, MissingCSRF } from '../../../src/errors.ts'
import Lib from '../../../src/frameworks/hono/index.ts'
import type { LibConfig } from '../../../src/frameworks/hono/index.ts'
import {
  answerAccountError,
  callPassword,
  answerFactors,
  answerRequirement,
  describeTokenError,
  streamLate,
} from '../conformance/site.ts'
import type { RunningSite, SiteOptions, StartSite } from '../conformance/site.ts'
import { listen } from './listen.ts'
import { restorePlatformClasses } from '../../setup/platform-classes.ts'

/** Hono, and `createAdaptorServer` of `@hono/node-server`. */
interface Release {
  readonly hono: typeof Hono
  readonly adapter: typeof createAdaptorServer
}

/** A Hono application with the routes of the conformance suite. */
async function start(
  { hono, adapter }: Release,
  { config, parsers, rules = {} }: SiteOptions,
): Promise<RunningSite> {
  const lib = Lib(config as LibConfig)
  const app = new hono()
  if (parsers)
    app.use(async (c, next) => {
      const isJson = c.req.header('content-type') === 'application/json'
      if (c.req.method === 'POST') await (isJson ? c.req.json() : c.req.parseBody())
      await next()
    })
  app.use(lib.handler)
  app.get('/me', lib.session, async (c) => {
    const [session] = await Promise.all([c.var.auth(), c.var.auth()])
    return c.json(session)
  })
  app.get('/page', lib.session, async (c) => c.html(`<p>${(await lib.auth(c))?.user?.name}</p>`))
  app.get('/guarded/data', lib.protect(rules), (c) => c.json({ data: 1 }))
  app.all('/guarded/*', lib.protect(), (c) =>
    c.html(`secret for ${c.var.session?.user?.name ?? 'guest'}`),
  )
  app.get('/own', lib.session, async (c) => {
    c.header('set-cookie', 'before=a%20b; Path=/', { append: true })
    await c.var.auth()
    c.header('set-cookie', 'after=1', { append: true })
    c.header('cache-control', 'public, max-age=60')
    return c.text('own')
  })
  app.all('/login', async (c) => {
    const fields = { ...(await c.req.parseBody()), redirectTo: '/page' }
    return lib.signIn(c, 'credentials', fields)
  })
  app.all('/logout', (c) => lib.signOut(c, { federated: c.req.url.endsWith('?federated') }))
  app.all('/update', lib.session, async (c) => c.json(await lib.update(c, { user: { name: 'x' } })))
  app.get('/token', lib.session, async (c) => {
    const read = () => lib.getAccessToken(c, 'op').catch(describeTokenError)
    return c.req.url.endsWith('?late') ? c.body(streamLate(read)) : c.json(await read())
  })
  app.all('/sessions', lib.session, async (c) => {
    const sid = c.req.query('sid')
    if (c.req.method === 'GET') return c.json(await lib.sessions.list(c))
    return c.json(
      sid === undefined ? await lib.sessions.revokeOthers(c) : await lib.sessions.revoke(c, sid),
    )
  })
  app.get('/assured', lib.session, async (c) => {
    try {
      return c.json(await lib.requireAuth(c, { maxAge: 900 }))
    } catch (error) {
      const { status, headers, body } = answerRequirement(error)
      return Response.json(body, { status, headers })
    }
  })
  app.post('/scopes', (c) => {
    const options = { redirectTo: '/page', redirect: !c.req.url.endsWith('?stay') }
    return lib.requestScopes(c, 'op', ['calendar'], options)
  })
  app.all('/accounts', lib.session, async (c) => {
    const { unlink, remove, password, email, merge, pending } = c.req.query()
    try {
      if (pending !== undefined) return c.json(await lib.account.pendingEmail(c))
      if (c.req.method === 'GET') return c.json(await lib.account.list(c))
      if (password !== undefined)
        return Response.json(await callPassword(lib.password, password, c))
      if (email === '') return c.json(await lib.account.cancelEmail(c))
      if (email !== undefined) return c.json(await lib.account.changeEmail(c, email))
      if (unlink !== undefined) {
        const key = { provider: 'other', providerAccountId: unlink }
        return c.json(await lib.account.unlink(c, key))
      }
      if (merge !== undefined) return await lib.account.merge(c, { redirectTo: '/page' })
      if (remove === undefined) return await lib.account.link(c, 'op', { redirectTo: '/page' })
      await lib.account.remove(c)
      return c.json(null)
    } catch (error) {
      const { status, headers, body } = answerAccountError(error)
      return Response.json(body, { status, headers })
    }
  })
  app.all('/factors', lib.session, async (c) => {
    const { searchParams: query } = new URL(c.req.url)
    const { status, headers, body } = await answerFactors(
      { method: c.req.method, query },
      {
        list: () => lib.factors.list(c),
        enroll: (...args) => lib.factors.enroll(c, ...args),
        confirm: (...args) => lib.factors.confirm(c, ...args),
        remove: (id) => lib.factors.remove(c, id),
        renewRecoveryCodes: () => lib.factors.renewRecoveryCodes(c),
      },
    )
    return Response.json(body, { status, headers })
  })
  app.onError((error, c) => {
    if (error instanceof CredentialsSignin) return c.text(error.code, 401)
    return c.body(null, error instanceof MissingCSRF ? 403 : 500)
  })
  const site = await listen(adapter({ fetch: app.fetch, createServer }) as never)
  return {
    origin: site.origin,
    async stop() {
      await site.stop()
      restorePlatformClasses()
    },
  }
}

/** Starts sites with these releases. */
export const startWith =
  (release: Release): StartSite =>
  (options) =>
    start(release, options)

export const startHono = startWith({ hono: Hono, adapter: createAdaptorServer })
