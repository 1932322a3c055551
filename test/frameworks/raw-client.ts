/** A browser over raw HTTP: no `fetch`, which servers under test may replace. */
import { Agent, request as sendRequest } from 'node:http'
import { connect } from 'node:net'
import type { IncomingHttpHeaders } from 'node:http'
import { cookieStore } from '../../src/testing/cookies.ts'

/** A received response. */
export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly setCookies: readonly string[]
  readonly body: string
}

/** A request; a navigation of a page of the site by default. */
export interface RawRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly form?: Readonly<Record<string, string>> | URLSearchParams
  readonly json?: unknown
  readonly body?: string
  /** Where the form is that was submitted, or that no browser sends the request. @default 'same-site' */
  readonly initiator?: 'same-site' | 'cross-site' | 'server'
}

/** A user with cookies and one connection. */
export interface RawClient {
  readonly cookies: ReturnType<typeof cookieStore>
  /** Of the routes. */
  readonly basePath: string
  send(path: string, request?: RawRequest): Promise<Answer>
  csrfToken(): Promise<string>
  close(): void
}

/** What the headers of a navigation contain. */
const NAVIGATION = {
  accept: 'text/html',
  'sec-fetch-site': 'same-origin',
  'sec-fetch-dest': 'document',
}

/**
 * Opens a client.
 *
 * @param basePath - of the routes
 * @param address - the origin in the address bar, if a reverse proxy is in front of the server
 */
export function rawClient(origin: string, basePath = '/auth', address: string = origin): RawClient {
  const cookies = cookieStore()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })

  const send = async (path: string, given: RawRequest = {}): Promise<Answer> => {
    const { form, json } = given
    const text = form ? new URLSearchParams(form).toString() : json && JSON.stringify(json)
    const body = given.body ?? (typeof text === 'string' ? text : undefined)
    const method = given.method ?? (body === undefined ? 'GET' : 'POST')
    const url = new URL(origin)
    const { initiator = 'same-site' } = given
    const isServer = initiator === 'server'
    const cookie = isServer
      ? null
      : cookies.header({ url: new URL(path, address), method, initiator })
    const type = form ? 'application/x-www-form-urlencoded' : json && 'application/json'
    const headers = {
      ...(!isServer && NAVIGATION),
      host: new URL(address).host,
      // Browsers send it with each request that is not GET or HEAD.
      ...(!isServer && method !== 'GET' && method !== 'HEAD' && { origin: address }),
      ...(cookie && { cookie }),
      ...(typeof type === 'string' && { 'content-type': type }),
      ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
      // As browsers do: frameworks compare it with their own origin.
      ...(!isServer &&
        !/^(?:GET|HEAD)$/.test(method) &&
        !given.headers?.['sec-fetch-site'] && { origin }),
      ...given.headers,
    }
    const answer = await new Promise<Answer>((resolve, reject) => {
      const request = sendRequest(
        { host: url.hostname, port: url.port, path, method, headers, agent },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              setCookies: response.headers['set-cookie'] ?? [],
              body: Buffer.concat(chunks).toString(),
            }),
          )
          response.on('error', reject)
        },
      )
      request.on('error', reject)
      request.setTimeout(20_000, () => request.destroy(new Error(`${method} ${path}: no response`)))
      request.end(body)
    })
    for (const each of answer.setCookies) cookies.accept(each, new URL(path, address))
    return answer
  }

  return {
    cookies,
    basePath,
    send,
    async csrfToken() {
      return (JSON.parse((await send(`${basePath}/csrf`)).body) as { csrfToken: string }).csrfToken
    },
    close: () => agent.destroy(),
  }
}

/** Sends bytes on one connection, and returns what the server sends until `isComplete` or the connection closes. */
export async function rawBytes(
  origin: string,
  bytes: readonly (string | Buffer)[],
  isComplete: (received: string) => boolean = () => false,
): Promise<string> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  let received = ''
  const done = new Promise<string>((resolve) => {
    const finish = () => resolve(received)
    socket.setTimeout(10_000, finish)
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      if (isComplete(received)) finish()
    })
    socket.on('close', finish).on('error', finish)
  })
  for (const part of bytes) socket.write(part)
  const text = await done
  socket.destroy()
  return text
}
