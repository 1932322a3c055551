import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express'
import Express from 'express'
import Express4 from 'express-4'
import Lib from '../../../src/frameworks/express/index.ts'
import type { LibConfig } from '../../../src/frameworks/express/index.ts'
import { AccessTokenError, CredentialsSignin, MissingCSRF } from '../../../src/errors.ts'
import {
  answerAccountError,
  callPassword,
  answerFactors,
  answerRequirement,
  describeTokenError,
} from '../conformance/site.ts'
import type { RunningSite, SiteOptions, StartSite } from '../conformance/site.ts'
import { listen } from './listen.ts'

/** Express 4 ignores a rejected promise. */
export function route(work: (req: Request, res: Response) => Promise<unknown>): RequestHandler {
  const run: RequestHandler = async (req, res, next) => {
    try {
      await work(req, res)
    } catch (error) {
      next(error)
    }
  }
  return run
}

/** An Express application with the routes of the conformance suite. */
async function start(
  express: typeof Express,
  { config, parsers, rules = {} }: SiteOptions,
): Promise<RunningSite> {
  const lib = Lib(config as LibConfig)
  const app = express()
  app.set('env', 'production')
  if (parsers) app.use(express.json(), express.urlencoded({ extended: true }))
  app.use(lib.handler, lib.session)
  const me = route(async (_req, res) => {
    const { auth } = res.locals
    const [session] = await Promise.all([auth(), auth()])
    res.json(session)
  })
  const page = route(async (req, res) => {
    res.send(`<p>${(await lib.auth(req, res))?.user?.name}</p>`)
  })
  app.get('/me', me).get('/page', page)
  app.get('/guarded/data', lib.protect(rules), (_req, res) => {
    res.json({ data: 1 })
  })
  app.use('/guarded', lib.protect(), (_req, res) => {
    res.send(`secret for ${res.locals.session?.user?.name ?? 'guest'}`)
  })
  const own = route(async (req, res) => {
    res.cookie('before', 'a b')
    await lib.auth(req, res)
    res.append('set-cookie', 'after=1')
    res.set('cache-control', 'public, max-age=60').send('own')
  })
  const login = route((req, res) =>
    lib.signIn(req, res, 'credentials', { ...req.body, redirectTo: '/page' }),
  )
  const logout = route((req, res) =>
    lib.signOut(req, res, { federated: req.query['federated'] !== undefined }),
  )
  const update = route(async (req, res) => {
    res.json(await lib.update(req, res, { user: { name: 'x' } }))
  })
  const token = route(async (req, res) => {
    const isLate = req.query['late'] !== undefined
    if (isLate) res.flushHeaders()
    const result = await lib.getAccessToken(req, res, 'op').catch(describeTokenError)
    if (isLate) res.end(JSON.stringify(result))
    else res.json(result)
  })
  const scopes = route(async (req, res) => {
    const redirect = req.query['stay'] === undefined
    const url = await lib.requestScopes(req, res, 'op', ['calendar'], {
      redirectTo: '/page',
      redirect,
    })
    if (!redirect) res.send(url)
  })
  app.get('/token', token).post('/scopes', scopes)
  const sessions = route(async (req, res) => {
    const { sid } = req.query
    if (req.method === 'GET') res.json(await lib.sessions.list(req, res))
    else if (typeof sid === 'string') res.json(await lib.sessions.revoke(req, res, sid))
    else res.json(await lib.sessions.revokeOthers(req, res))
  })
  const assured = route(async (req, res) => {
    try {
      res.json(await lib.requireAuth(req, res, { maxAge: 900 }))
    } catch (error) {
      const { status, headers, body } = answerRequirement(error)
      res.status(status).set(headers).json(body)
    }
  })
  app.all('/sessions', sessions).get('/assured', assured)
  const form = express.urlencoded({ extended: false })
  const accounts = route(async (req, res) => {
    const { unlink, remove, password, email, merge, pending } = req.query
    try {
      if (pending !== undefined) res.json(await lib.account.pendingEmail(req, res))
      else if (req.method === 'GET') res.json(await lib.account.list(req, res))
      else if (typeof password === 'string')
        res.json(await callPassword(lib.password, password, req, res))
      else if (email === '') res.json(await lib.account.cancelEmail(req, res))
      else if (typeof email === 'string') res.json(await lib.account.changeEmail(req, res, email))
      else if (typeof unlink === 'string') {
        const key = { provider: 'other', providerAccountId: unlink }
        res.json(await lib.account.unlink(req, res, key))
      } else if (merge !== undefined) await lib.account.merge(req, res, { redirectTo: '/page' })
      else if (remove === undefined) await lib.account.link(req, res, 'op', { redirectTo: '/page' })
      else {
        await lib.account.remove(req, res)
        res.json(null)
      }
    } catch (error) {
      const { status, headers, body } = answerAccountError(error)
      res.status(status).set(headers).json(body)
    }
  })
  const factors = route(async (req, res) => {
    const { searchParams: query } = new URL(req.url, 'http://localhost')
    const { status, headers, body } = await answerFactors(
      { method: req.method, query },
      {
        list: () => lib.factors.list(req, res),
        enroll: (...args) => lib.factors.enroll(req, res, ...args),
        confirm: (...args) => lib.factors.confirm(req, res, ...args),
        remove: (id) => lib.factors.remove(req, res, id),
        renewRecoveryCodes: () => lib.factors.renewRecoveryCodes(req, res),
      },
    )
    res.status(status).set(headers).json(body)
  })
  app.all('/accounts', accounts).all('/factors', factors)
  app.get('/own', own).all('/login', form, login).all('/logout', logout).all('/update', update)
  const onError: ErrorRequestHandler = (error, _req, res, next) => {
    if (error instanceof CredentialsSignin) res.status(401).send(error.code)
    else if (error instanceof MissingCSRF) res.status(403).end()
    else if (error instanceof AccessTokenError) res.status(401).end()
    else next(error)
  }
  app.use(onError)
  return listen(app)
}

/** Starts sites with a release of Express. */
export const startWith =
  (express: typeof Express): StartSite =>
  (options) =>
    start(express, options)

export const startExpress = startWith(Express)
export const startExpress4 = startWith(Express4)
