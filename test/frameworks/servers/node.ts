import { text } from 'node:stream/consumers'
import { CredentialsSignin, MissingCSRF } from '../../../src/errors.ts'
import Lib from '../../../src/frameworks/node/index.ts'
import type { LibConfig, NodeRequest, NodeResponse } from '../../../src/frameworks/node/index.ts'
import {
  answerAccountError,
  callPassword,
  answerFactors,
  answerRequirement,
  describeTokenError,
} from '../conformance/site.ts'
import type { StartSite } from '../conformance/site.ts'
import { listen } from './listen.ts'

function json(res: NodeResponse, value: unknown): void {
  res.setHeader('content-type', 'application/json')
  res.end(JSON.stringify(value))
}

async function formOf(req: NodeRequest): Promise<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(await text(req)))
}

/** A server of `node:http` with the routes of the conformance suite. */
export const startNode: StartSite = async ({ config, parsers, rules = {} }) => {
  const lib = Lib(config as LibConfig)
  const routes: Record<string, (req: NodeRequest, res: NodeResponse) => Promise<unknown>> = {
    async '/me'(req, res) {
      const [session] = await Promise.all([lib.auth(req, res), lib.auth(req, res)])
      json(res, session)
    },
    async '/page'(req, res) {
      res.end(`<p>${(await lib.auth(req, res))?.user?.name}</p>`)
    },
    async '/guarded'(req, res) {
      if (!(await lib.protect(req, res))) return
      res.end(`secret for ${(await lib.auth(req))?.user?.name ?? 'guest'}`)
    },
    async '/guarded/data'(req, res) {
      if (await lib.protect(req, res, rules)) json(res, { data: 1 })
    },
    async '/own'(req, res) {
      res.setHeader('set-cookie', 'before=a%20b; Path=/')
      await lib.auth(req, res)
      const cookies = [res.getHeader('set-cookie') ?? []].flat().map(String)
      const headers = {
        'set-cookie': [...cookies, 'after=1'],
        'cache-control': 'public, max-age=60',
      }
      res.writeHead(200, headers)
      res.end('own')
    },
    async '/login'(req, res) {
      const fields = { ...(await formOf(req)), redirectTo: '/page' }
      await lib.signIn(req, res, 'credentials', fields)
    },
    '/logout': (req, res) =>
      lib.signOut(req, res, { federated: req.url?.endsWith('?federated') === true }),
    async '/token'(req, res) {
      if (req.url?.endsWith('?late')) res.writeHead(200)
      const result = await lib.getAccessToken(req, res, 'op').catch(describeTokenError)
      res.end(JSON.stringify(result))
    },
    async '/sessions'(req, res) {
      const sid = new URL(req.url ?? '', 'http://localhost').searchParams.get('sid')
      if (req.method === 'GET') json(res, await lib.sessions.list(req, res))
      else if (sid === null) json(res, await lib.sessions.revokeOthers(req, res))
      else json(res, await lib.sessions.revoke(req, res, sid))
    },
    async '/assured'(req, res) {
      try {
        json(res, await lib.requireAuth(req, res, { maxAge: 900 }))
      } catch (error) {
        const { status, headers, body } = answerRequirement(error)
        res.writeHead(status, headers).end(JSON.stringify(body))
      }
    },
    async '/scopes'(req, res) {
      const redirect = !req.url?.endsWith('?stay')
      const options = { redirectTo: '/page', redirect }
      const url = await lib.requestScopes(req, res, 'op', ['calendar'], options)
      if (!redirect) res.end(url)
    },
    async '/accounts'(req, res) {
      const query = new URL(req.url ?? '', 'http://localhost').searchParams
      const unlink = query.get('unlink')
      const password = query.get('password')
      try {
        const email = query.get('email')
        if (query.has('pending')) json(res, await lib.account.pendingEmail(req, res))
        else if (req.method === 'GET') json(res, await lib.account.list(req, res))
        else if (password !== null) json(res, await callPassword(lib.password, password, req, res))
        else if (email === '') json(res, await lib.account.cancelEmail(req, res))
        else if (email !== null) json(res, await lib.account.changeEmail(req, res, email))
        else if (unlink !== null) {
          const key = { provider: 'other', providerAccountId: unlink }
          json(res, await lib.account.unlink(req, res, key))
        } else if (query.has('merge')) await lib.account.merge(req, res, { redirectTo: '/page' })
        else if (query.has('remove')) {
          await lib.account.remove(req, res)
          json(res, null)
        } else await lib.account.link(req, res, 'op', { redirectTo: '/page' })
      } catch (error) {
        const { status, headers, body } = answerAccountError(error)
        res.writeHead(status, headers).end(JSON.stringify(body))
      }
    },
    async '/factors'(req, res) {
      const { searchParams: query } = new URL(req.url ?? '', 'http://localhost')
      const answer = await answerFactors(
        { method: req.method ?? '', query },
        {
          list: () => lib.factors.list(req, res),
          enroll: (...args) => lib.factors.enroll(req, res, ...args),
          confirm: (...args) => lib.factors.confirm(req, res, ...args),
          remove: (id) => lib.factors.remove(req, res, id),
          renewRecoveryCodes: () => lib.factors.renewRecoveryCodes(req, res),
        },
      )
      res.writeHead(answer.status, answer.headers).end(JSON.stringify(answer.body))
    },
    '/update': async (req, res) => json(res, await lib.update(req, res, { user: { name: 'x' } })),
  }
  const site = async (req: NodeRequest, res: NodeResponse) => {
    const path = (req.url ?? '/').replace(/\?.*/, '')
    const isGuarded = path.startsWith('/guarded/') && path !== '/guarded/data'
    const route = routes[isGuarded ? '/guarded' : path]
    res.statusCode = route ? 200 : 404
    try {
      await (route ? route(req, res) : res.end('Nothing here'))
    } catch (error) {
      res.statusCode = error instanceof MissingCSRF ? 403 : 500
      if (error instanceof CredentialsSignin) res.statusCode = 401
      res.end(error instanceof CredentialsSignin ? error.code : '')
    }
  }
  const parse = async (req: NodeRequest) => {
    const body = await text(req)
    const isJson = req.headers['content-type']?.includes('json')
    Object.assign(req, { body: isJson ? JSON.parse(body) : body })
  }
  const handle = async (req: NodeRequest, res: NodeResponse) => {
    if (parsers && req.method === 'POST') await parse(req)
    lib.handler(req, res, (error) => (error ? res.writeHead(500).end() : void site(req, res)))
  }
  return listen((req, res) => void handle(req, res))
}
