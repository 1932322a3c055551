/** `lib-auth dev-provider`: an OpenID provider for development, which accepts connections of this machine only. */
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { issuer } from '../../testing/issuer.ts'
import type { Issuer } from '../../testing/types.ts'
import { errorCode, Failure, readMessage, UsageError } from '../errors.ts'
import type { Values } from '../options.ts'
import type { ExitCode, Terminal } from '../terminal.ts'
import { CLIENT } from './request.ts'
import { respond } from './respond.ts'
import { USERS } from './users.ts'

const HOST = '127.0.0.1'
const DEFAULT_PORT = '4000'
const MAX_PORT = 65_535

/** @throws UsageError */
function readPort({ port = DEFAULT_PORT }: Values): number {
  if (/^\d{1,5}$/.test(port) && Number(port) <= MAX_PORT) return Number(port)
  throw new UsageError(`--port is "${port}"; write a number from 0 to ${MAX_PORT}.`)
}

/** Other names, such as `staging`, are those of servers. On Windows, `set NODE_ENV=test && …` adds a space. */
const ENVIRONMENTS: ReadonlySet<string> = new Set(['', 'development', 'test'])

/** @throws Failure */
function requireDevelopment(name: string): void {
  if (ENVIRONMENTS.has(name.trim().toLowerCase())) return
  throw new Failure(
    `dev-provider requires no password, so it runs only with NODE_ENV=development or test, or without NODE_ENV, and not with "${name}".`,
  )
}

/** Listens, and returns the port. @throws Failure */
async function listen(server: Server, port: number): Promise<number> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, HOST, resolve)
    })
  } catch (cause) {
    const why = errorCode(cause) === 'EADDRINUSE' ? 'it is in use' : readMessage(cause)
    throw new Failure(
      `The provider cannot listen on port ${port}: ${why}. Choose another one with --port <number>.`,
      { cause },
    )
  }
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

async function toRequest(message: IncomingMessage, url: string): Promise<Request> {
  const { method = 'GET', url: target = '/', headers: given } = message
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) headers.set(name, String(value))
  const hasBody = method !== 'GET' && method !== 'HEAD'
  // Its host is that of the provider, whatever the target names.
  const own = new URL(url)
  const { pathname, search } = new URL(target, url)
  own.pathname = pathname
  own.search = search
  return new Request(own, { method, headers, ...(hasBody && { body: await text(message) }) })
}

async function send(response: Response, to: ServerResponse): Promise<void> {
  to.writeHead(response.status, Object.fromEntries(response.headers))
  to.end(await response.text())
}

function instructions(url: string): string {
  return `The OpenID provider is at ${url}. It asks for no password.
Users: ${USERS.map(({ name }) => name).join(', ')}.

Add it to providers in the configuration:

  {
    id: 'dev',
    name: 'Dev provider',
    type: 'oidc',
    issuer: '${url}',
    clientId: '${CLIENT.id}',
    clientSecret: '${CLIENT.secret}',
  },

For development only. Stop it with Ctrl+C.`
}

async function startIssuer(port: Promise<number>): Promise<Issuer> {
  const url = `http://${HOST}:${await port}`
  const { id: clientId, secret: clientSecret } = CLIENT
  // Applications keep the keys of a provider that was at this URL before.
  return issuer({
    url,
    clientId,
    clientSecret,
    keyId: crypto.randomUUID(),
    refreshTokens: 'rotated',
  })
}

/** Resolves when the user stops the program. */
async function untilStopped(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })
  server.closeAllConnections()
  server.close()
}

export async function devProvider(values: Values, terminal: Terminal): Promise<ExitCode> {
  const wanted = readPort(values)
  requireDevelopment(process.env['NODE_ENV'] ?? '')
  const server = createServer()
  const provider = startIssuer(listen(server, wanted))
  const answer = async (message: IncomingMessage, response: ServerResponse) => {
    const op = await provider
    await send(await respond(await toRequest(message, op.url), op), response)
  }
  server.on('request', (message, response) => {
    answer(message, response).catch((error: unknown) => {
      terminal.warn(readMessage(error))
      response.destroy()
    })
  })
  const { url } = await provider
  // A program that waits for the instructions may stop this one at once.
  const stopped = untilStopped(server)
  terminal.print(instructions(url))
  await stopped
  return 0
}
