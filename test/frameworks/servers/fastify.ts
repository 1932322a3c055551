import Fastify from 'fastify'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { CredentialsSignin, MissingCSRF } from '../../../src/errors.ts'
import Lib from '../../../src/frameworks/fastify/index.ts'
import type { LibConfig } from '../../../src/frameworks/fastify/index.ts'
import {
  answerAccountError,
  callPassword,
  answerFactors,
  answerRequirement,
  describeTokenError,
  streamLate,
} from '../conformance/site.ts'
import type { RunningSite, SiteOptions, StartSite } from '../conformance/site.ts'

/** A Fastify application with the routes of the conformance suite. */
async function start(
  fastify: typeof Fastify,
  { config, parsers, rules = {} }: SiteOptions,
): Promise<RunningSite> {
  const lib = Lib(config as LibConfig)
  const app = fastify({ forceCloseConnections: true })
  const form = 'application/x-www-form-urlencoded'
  app.addContentTypeParser(form, { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
  // Reads the bodies of all requests that reach it; the routes are answered before.
  if (parsers) app.addHook('preHandler', async (request) => void request.body)
  await app.register(lib.plugin)
  app.get('/me', async (request, reply) => {
    const [session] = await Promise.all([request.auth(), lib.auth(request)])
    return reply.type('application/json').send(JSON.stringify(session))
  })
  app.get('/page', async (request, reply) =>
    reply.type('text/html').send(`<p>${(await request.auth())?.user?.name}</p>`),
  )
  for (const url of ['/guarded', '/guarded/*'])
    app.route({
      method: ['GET', 'POST'],
      url,
      preHandler: lib.protect(),
      handler: async (request) => `secret for ${(await request.auth())?.user?.name ?? 'guest'}`,
    })
  const data = { preHandler: lib.protect(rules) }
  app.get('/guarded/data', data, () => ({ data: 1 }))
  app.get('/own', async (request, reply) => {
    reply.header('set-cookie', 'before=a%20b; Path=/')
    await request.auth()
    reply.header('set-cookie', 'after=1')
    return reply.header('cache-control', 'public, max-age=60').send('own')
  })
  app.all('/login', async (request, reply) => {
    const fields = { ...Object(request.body), redirectTo: '/page' }
    await lib.signIn(request, reply, 'credentials', fields)
  })
  app.all('/logout', async (request, reply) => {
    await lib.signOut(request, reply, { federated: request.url.endsWith('?federated') })
  })
  app.all('/update', async (request, reply) => {
    const session = await lib.update(request, reply, { user: { name: 'x' } })
    return reply.type('application/json').send(JSON.stringify(session))
  })
  app.get('/token', async (request, reply) => {
    const read = () => lib.getAccessToken(request, reply, 'op').catch(describeTokenError)
    return request.url.endsWith('?late') ? reply.send(streamLate(read)) : read()
  })
  app.get('/sessions', async (request, reply) => {
    return reply
      .type('application/json')
      .send(JSON.stringify(await lib.sessions.list(request, reply)))
  })
  app.post('/sessions', async (request, reply) => {
    const sid = new URL(request.url, 'http://localhost').searchParams.get('sid')
    const ended =
      sid === null
        ? await lib.sessions.revokeOthers(request, reply)
        : await lib.sessions.revoke(request, reply, sid)
    return reply.type('application/json').send(JSON.stringify(ended))
  })
  app.get('/assured', async (request, reply) => {
    try {
      return await lib.requireAuth(request, reply, { maxAge: 900 })
    } catch (error) {
      const { status, headers, body } = answerRequirement(error)
      return reply.code(status).headers(headers).send(body)
    }
  })
  app.post('/scopes', async (request, reply) => {
    const options = { redirectTo: '/page', redirect: !request.url.endsWith('?stay') }
    const url = await lib.requestScopes(request, reply, 'op', ['calendar'], options)
    return options.redirect ? reply : url
  })
  const accounts = async (request: FastifyRequest, reply: FastifyReply) => {
    const query = new URL(request.url, 'http://localhost').searchParams
    const unlink = query.get('unlink')
    const password = query.get('password')
    const json = (body: unknown) => reply.type('application/json').send(JSON.stringify(body))
    try {
      const email = query.get('email')
      if (query.has('pending')) return await json(await lib.account.pendingEmail(request, reply))
      if (request.method === 'GET') return await json(await lib.account.list(request, reply))
      if (password !== null)
        return await json(await callPassword(lib.password, password, request, reply))
      if (email === '') return await json(await lib.account.cancelEmail(request, reply))
      if (email !== null) return await json(await lib.account.changeEmail(request, reply, email))
      if (unlink !== null) {
        const key = { provider: 'other', providerAccountId: unlink }
        return await json(await lib.account.unlink(request, reply, key))
      }
      if (query.has('merge')) {
        await lib.account.merge(request, reply, { redirectTo: '/page' })
        return await reply
      }
      if (!query.has('remove')) {
        await lib.account.link(request, reply, 'op', { redirectTo: '/page' })
        return await reply
      }
      await lib.account.remove(request, reply)
      return await json(null)
    } catch (error) {
      const { status, headers, body } = answerAccountError(error)
      return reply.code(status).headers(headers).send(body)
    }
  }
  const factors = async (request: FastifyRequest, reply: FastifyReply) => {
    const { searchParams: query } = new URL(request.url, 'http://localhost')
    const { status, headers, body } = await answerFactors(
      { method: request.method, query },
      {
        list: () => lib.factors.list(request, reply),
        enroll: (...args) => lib.factors.enroll(request, reply, ...args),
        confirm: (...args) => lib.factors.confirm(request, reply, ...args),
        remove: (id) => lib.factors.remove(request, reply, id),
        renewRecoveryCodes: () => lib.factors.renewRecoveryCodes(request, reply),
      },
    )
    const json = reply.code(status).headers(headers).type('application/json')
    return json.send(JSON.stringify(body))
  }
  app.get('/factors', factors)
  app.post('/factors', factors)
  app.get('/accounts', accounts)
  app.post('/accounts', accounts)
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof CredentialsSignin) return reply.code(401).send(error.code)
    if (error instanceof MissingCSRF) return reply.code(403).send()
    return reply.code(500).send()
  })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  return { origin, stop: async () => app.close() }
}

/** Starts sites with a release of Fastify. */
export const startWith =
  (fastify: typeof Fastify): StartSite =>
  (options) =>
    start(fastify, options)

export const startFastify = startWith(Fastify)
