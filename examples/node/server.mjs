import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import Lib, { AuthError, SignInError } from 'lib-auth/node'
import { config } from '../server-parts/config.mjs'
import {
  HEADERS,
  clientPage,
  clientScript,
  homePage,
  protectedPage,
} from '../server-parts/pages.mjs'

const lib = Lib(config)

async function signIn(req, res) {
  const { provider, ...fields } = Object.fromEntries(new URLSearchParams(await text(req)))
  try {
    await lib.signIn(req, res, provider, { ...fields, redirectTo: '/' })
  } catch (error) {
    if (!(error instanceof SignInError)) throw error
    res.writeHead(error.status, { ...HEADERS, ...error.headers }).end(homePage(null, error.type))
  }
}

const ROUTES = {
  'GET /': async (req, res) => {
    const session = await lib.auth(req, res)
    res.writeHead(200, HEADERS).end(homePage(session))
  },
  'GET /protected': async (req, res) => {
    if (!(await lib.protect(req, res))) return
    const session = await lib.auth(req, res)
    res.writeHead(200, HEADERS).end(protectedPage(session))
  },
  'GET /client': async (_req, res) => {
    res.writeHead(200, HEADERS).end(clientPage())
  },
  'GET /client.js': async (_req, res) => {
    res.writeHead(200, { 'content-type': 'text/javascript' }).end(clientScript)
  },
  'POST /sign-in': signIn,
  'POST /sign-out': (req, res) => lib.signOut(req, res, { redirectTo: '/' }),
}

const notFound = async (_req, res) => {
  res.writeHead(404).end('Not found')
}

async function respond(req, res, handlerError) {
  try {
    if (handlerError) throw handlerError
    const [path] = req.url.split('?')
    const route = ROUTES[`${req.method} ${path}`] ?? notFound
    await route(req, res)
  } catch (error) {
    // An error that is not caught would end the process.
    const { status, headers } = error instanceof AuthError ? error : { status: 500, headers: {} }
    if (status >= 500) console.error(error)
    if (res.headersSent) res.destroy()
    else res.writeHead(status, headers).end()
  }
}

const server = createServer((req, res) => {
  lib.handler(req, res, (error) => void respond(req, res, error))
})

server.listen(process.env.PORT ?? 3000, 'localhost')
