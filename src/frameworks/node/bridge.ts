/** Converts requests of `node:http` and `node:http2` to `Request`. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import { InvalidRequest } from '../../core/errors/classes.ts'
import { readHeaders } from '../../core/http/read-headers.ts'
import { asRecord } from '../../core/is-record.ts'

/** A request of `node:http`, or of a framework that extends it. */
export type NodeRequest = (IncomingMessage | Http2ServerRequest) & {
  /** Express changes `url` below a mounted path, and keeps the original. */
  readonly originalUrl?: string
  /** The mounted path that Express has removed from `url`. */
  readonly baseUrl?: string
  /** What a body parser has read. */
  readonly body?: unknown
}

/** A response of `node:http`. */
export type NodeResponse = ServerResponse | Http2ServerResponse

/** Methods that a `Request` cannot have (Fetch §2.2.1); no route accepts them either. */
const FORBIDDEN_METHODS = new Set(['CONNECT', 'TRACE', 'TRACK'])

function withoutQuery(target: string): string {
  return target.replace(/[?#].*$/s, '')
}

/** The path as received: unlike that of the URL, it may contain `..`, or begin with an origin. */
export function receivedPath({ originalUrl, url = '/' }: NodeRequest): string {
  return withoutQuery(originalUrl ?? url)
}

/**
 * The path that the router matches: middleware may have changed `url`. Without `baseUrl`, a server does not report the
 * mounted path that it has removed from `url`: if the received path ends with `url`, it is used instead.
 */
export function routedPath(req: NodeRequest): string {
  const { baseUrl, url = '/' } = req
  const path = withoutQuery(url)
  if (baseUrl !== undefined) return path === '/' && baseUrl !== '' ? baseUrl : baseUrl + path
  const received = receivedPath(req)
  return path === '/' || received.endsWith(path) ? received : path
}

function asPath(target: string): string {
  return target.startsWith('/') ? target : `/${target}`
}

/** The path of a route; never an absolute target. */
export const requestPath = (req: NodeRequest): string => asPath(receivedPath(req))

export function requestProtocol({ socket }: NodeRequest): 'http:' | 'https:' {
  // Requests in tests may have no socket. In Bun and in Nitro, sockets without TLS have the property as well.
  return asRecord(socket)['encrypted'] === true ? 'https:' : 'http:'
}

/** The URL, in which `//host/path` and `http://host/path` are paths, and never change the host. */
export function requestUrl(req: NodeRequest): URL {
  const url = new URL(
    `${requestProtocol(req)}//localhost${asPath(req.originalUrl ?? req.url ?? '/')}`,
  )
  // Ignores a host that is not valid; the Host header is validated with the request.
  const { host } = req.headers
  url.host =
    host ?? (typeof req.headers[':authority'] === 'string' ? req.headers[':authority'] : '')
  return url
}

/** Without a Host header, `host` is empty, so that the host of the URL is not used. */
export function requestHeaders(req: NodeRequest): Headers {
  const { headers } = readHeaders({ headers: req.headers })
  if (!headers.has('host')) headers.set('host', '')
  return headers
}

/** Reads on demand only, so that Node.js discards the body of a rejected request. */
function streamBody(req: NodeRequest): ReadableStream<Uint8Array> {
  let stop: () => void = () => undefined
  let isListening = false
  const listen = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const onData = (chunk: Uint8Array) => {
      req.pause()
      controller.enqueue(chunk)
    }
    const onEnd = () => {
      stop()
      controller.close()
    }
    const onClose = () => {
      stop()
      controller.error(
        new InvalidRequest('The client closed the connection before the end of the body.'),
      )
    }
    stop = () => void req.off('data', onData).off('end', onEnd).off('close', onClose)
    req.on('data', onData).on('end', onEnd).on('close', onClose)
  }
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (!isListening) listen(controller)
        isListening = true
        req.resume()
      },
      cancel: () => stop(),
    },
    { highWaterMark: 0 },
  )
}

function failingBody(message: string): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (controller) => controller.error(new InvalidRequest(message)) })
}

const CONSUMED =
  'The request body was already consumed, and req.body has no value. Mount the built-in routes before the code that reads the body, or use a parser that sets req.body.'

const NESTED =
  'The parsed form has nested fields. Mount the built-in routes before the parser, or use express.urlencoded({ extended: false }).'

/** Serializes a parsed body to the content type in which it was sent. */
function serialize(body: unknown, type: string): BodyInit {
  if (typeof body === 'string') return body
  if (body instanceof Uint8Array || body instanceof ArrayBuffer) return new Uint8Array(body)
  if (typeof body !== 'object' || body === null) return failingBody(CONSUMED)
  if (/^application\/json\b/i.test(type)) return JSON.stringify(body)
  const fields = new URLSearchParams()
  for (const [name, values] of Object.entries(body))
    // A repeated field stays repeated, so that it is rejected where it must occur once.
    for (const value of [values].flat()) {
      if (typeof value === 'object') return failingBody(NESTED)
      fields.append(name, String(value))
    }
  return fields.toString()
}

function readBody(req: NodeRequest, headers: Headers, read: unknown): BodyInit {
  if (read === undefined && !req.readableDidRead && !req.readableEnded) return streamBody(req)
  const hasBody = headers.has('transfer-encoding') || Number(headers.get('content-length')) > 0
  headers.delete('content-length')
  headers.delete('transfer-encoding')
  const body = read ?? (hasBody ? req.body : '')
  return serialize(body, headers.get('content-type') ?? '')
}

/**
 * The request as a `Request`. A body that a parser has read before is serialized again from `req.body`.
 *
 * @param read - the body, if it was read and is not in `req.body`
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { send, toRequest } from 'lib-auth/node'
 *
 * export const server = createServer(async (req, res) => {
 *   const { pathname } = new URL(toRequest(req).url)
 *   await send(new Response(pathname), req, res)
 * })
 * ```
 */
export function toRequest(req: NodeRequest, read?: unknown): Request {
  const given = req.method ?? 'GET'
  const method = FORBIDDEN_METHODS.has(given) ? 'OPTIONS' : given
  const headers = requestHeaders(req)
  if (method === 'GET' || method === 'HEAD')
    return new Request(requestUrl(req), { method, headers })
  const body = readBody(req, headers, read)
  const init: RequestInit & { duplex: 'half' } = { method, headers, body, duplex: 'half' }
  return new Request(requestUrl(req), init)
}
