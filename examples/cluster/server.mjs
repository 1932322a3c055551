// One of several processes. They keep no state, so each can answer every request.
import { createServer } from 'node:http'
import { Auth, getSession } from 'lib-auth'
import { AuthError, send, toRequest } from 'lib-auth/node'
import { config } from './auth.mjs'
import { disconnect } from './database.mjs'
import { shutDownOnSignal } from './shutdown.mjs'

const HOST = process.env.HOST ?? '127.0.0.1'
const PORT = Number(process.env.PORT ?? 3001)

const escape = (text) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** The application. */
async function page({ headers }) {
  const { session, headers: cookies } = await getSession(headers, config)
  const who = session?.user?.name ?? session?.user?.email
  const greeting = who
    ? `Hello, ${escape(who)}. <a href="/auth/signout?callbackUrl=/">Sign out</a>`
    : '<a href="/auth/signin">Sign in</a>'
  cookies.set('content-type', 'text/html; charset=utf-8')
  cookies.set('cache-control', 'private, no-store')
  return new Response(
    `<!doctype html><title>Cluster</title><p>${greeting}<p>Served by the server on port ${PORT}.`,
    { headers: cookies },
  )
}

async function answer(incoming) {
  const request = toRequest(incoming)
  const { pathname } = new URL(request.url)
  if (pathname.startsWith('/auth/')) return Auth(request, config)
  return pathname === '/' ? page(request) : new Response('Not found.', { status: 404 })
}

function failure(error) {
  if (error instanceof AuthError && error.status < 500)
    return new Response(null, { status: error.status, headers: error.headers })
  console.error(error)
  return new Response('Please try again.', { status: 503 })
}

async function respond(incoming, outgoing) {
  const response = await answer(incoming).catch(failure)
  await send(response, incoming, outgoing)
}

const server = createServer((incoming, outgoing) => void respond(incoming, outgoing))
server.listen(PORT, HOST, () => console.log(`http://${HOST}:${PORT}`))

shutDownOnSignal(server, disconnect)
