// One of several processes. They keep no state, so each can answer every request.
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { Auth, getSession } from 'lib-auth'
import { config } from './auth.mjs'
import { disconnect } from './database.mjs'
import { shutDownOnSignal } from './shutdown.mjs'

const HOST = process.env.HOST ?? '127.0.0.1'
const PORT = Number(process.env.PORT ?? 3001)

/** Converts a request of Node to a web `Request`. */
function requestFrom(incoming) {
  const { method, url, headers } = incoming
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return new Request(`http://${headers.host}${url}`, {
    method,
    headers,
    ...(hasBody && { body: Readable.toWeb(incoming), duplex: 'half' }),
  })
}

const escape = (text) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** The application. */
async function page({ headers }) {
  const { session, headers: cookies } = await getSession(headers, config)
  const who = session?.user?.name ?? session?.user?.email
  const greeting = who
    ? `Hello, ${escape(who)}. <a href="/auth/signout">Sign out</a>`
    : '<a href="/auth/signin">Sign in</a>'
  cookies.set('content-type', 'text/html; charset=utf-8')
  cookies.set('cache-control', 'private, no-store')
  return new Response(
    `<!doctype html><title>Cluster</title><p>${greeting}<p>Served by the server on port ${PORT}.`,
    { headers: cookies },
  )
}

async function answer(incoming) {
  if (!URL.canParse(`http://${incoming.headers.host}${incoming.url}`))
    return new Response('The URL is invalid.', { status: 400 })
  const request = requestFrom(incoming)
  const { pathname } = new URL(request.url)
  if (pathname.startsWith('/auth/')) return Auth(request, config)
  return pathname === '/' ? page(request) : new Response('Not found.', { status: 404 })
}

async function respond(incoming, outgoing) {
  let response
  try {
    response = await answer(incoming)
  } catch (error) {
    console.error(error)
    response = new Response('Please try again.', { status: 503 })
  }
  outgoing.statusCode = response.status
  outgoing.setHeaders(response.headers)
  outgoing.end(Buffer.from(await response.arrayBuffer()))
}

const server = createServer((incoming, outgoing) => void respond(incoming, outgoing))
server.listen(PORT, HOST, () => console.log(`http://${HOST}:${PORT}`))

shutDownOnSignal(server, disconnect)
