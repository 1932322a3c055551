import { InvalidConfiguration } from '../../core/errors/classes.ts'
import { missingCookies, NOT_SHARED } from '../shared/cookies.ts'
import { UNREAD_LIMIT } from '../shared/unread-body.ts'
import type { ResponseCookie } from '../../core/types.ts'
import type { NodeRequest, NodeResponse } from './bridge.ts'

const NOT_AWAITED =
  'The response began before protect had decided. Write: if (!(await lib.protect(req, res))) return'

/** The methods of both kinds of response, without their overloads. */
interface Writer {
  writeHead(...args: readonly unknown[]): unknown
  write(...args: readonly unknown[]): unknown
  end(...args: readonly unknown[]): unknown
}

type HeaderValue = number | string | readonly string[]

/** The headers of `writeHead`: an object, a flat list of names and values, or a list of pairs. */
function headerEntries(headers: unknown): [string, HeaderValue][] {
  if (typeof headers !== 'object' || headers === null) return []
  if (!Array.isArray(headers)) return Object.entries(headers)
  const flat: HeaderValue[] = headers.flat()
  const entries = new Map<string, HeaderValue[]>()
  for (let index = 0; index < flat.length; index += 2) {
    const name = String(flat[index]).toLowerCase()
    entries.set(name, [...(entries.get(name) ?? []), flat[index + 1] ?? ''])
  }
  return [...entries].map(([name, values]) => [
    name,
    values.length === 1 ? (values[0] ?? '') : values.map(String),
  ])
}

function readSetCookies(res: NodeResponse): string[] {
  return [res.getHeader('set-cookie') ?? []].flat().map(String)
}

const waiting = new WeakMap<NodeResponse, Map<string, ResponseCookie>>()

/** Adds cookies when the head is written, after all headers that the application sets. */
function deferCookies(res: NodeResponse): Map<string, ResponseCookie> {
  const cookies = new Map<string, ResponseCookie>()
  waiting.set(res, cookies)
  const original: Writer = res
  const writeHead = original.writeHead.bind(res)
  Object.assign(res, {
    writeHead(this: NodeResponse, status: number, ...rest: readonly unknown[]): unknown {
      const message = typeof rest[0] === 'string' ? [rest[0]] : []
      for (const [name, value] of headerEntries(rest.find((each) => typeof each === 'object')))
        this.setHeader(name, value)
      const own = readSetCookies(this)
      const missing = missingCookies([...cookies.values()], own)
      if (missing.length > 0) {
        this.setHeader('set-cookie', [...own, ...missing])
        for (const [name, value] of Object.entries(NOT_SHARED)) this.setHeader(name, value)
      }
      return writeHead(status, ...message)
    },
  })
  return cookies
}

/** Sets cookies, and forbids shared caching of the response. @throws TypeError if the response has begun */
export function setCookies(res: NodeResponse, changes: readonly ResponseCookie[]): void {
  if (res.headersSent)
    throw new TypeError(
      'The response has begun, so its cookies cannot be set. Call this function earlier.',
    )
  const cookies = waiting.get(res) ?? deferCookies(res)
  for (const cookie of changes) cookies.set(cookie.name, cookie)
}

/**
 * Rejects a page that is sent before a decision, for callers that do not await it. Errors can be sent.
 *
 * @returns ends this
 */
export function holdPage(res: NodeResponse): () => void {
  let isDecided = false
  const original: Writer = res
  // All three: an error inside `end` of Node.js would leave the connection corked.
  for (const name of ['writeHead', 'write', 'end'] as const) {
    const method = original[name].bind(res)
    const guarded = (...args: readonly unknown[]): unknown => {
      const status = name === 'writeHead' ? Number(args[0]) : res.statusCode
      if (!isDecided && status < 400) throw new InvalidConfiguration(NOT_AWAITED)
      return method(...args)
    }
    Object.assign(res, { [name]: guarded })
  }
  return () => {
    isDecided = true
  }
}

/** Discards what is left of the body: an unread rest would block the connection. */
export function discardRest(req: NodeRequest, res: NodeResponse): void {
  // Requests of serverless platforms may be plain objects.
  if (req.readableEnded || req.destroyed || !('resume' in req)) return
  let left = UNREAD_LIMIT.bytes
  const close = () => {
    if (res.writableFinished) req.destroy()
    else res.once('finish', () => req.destroy())
  }
  const timer = setTimeout(close, UNREAD_LIMIT.milliseconds)
  const onData = (chunk: Uint8Array) => {
    left -= chunk.byteLength
    if (left < 0) close()
  }
  req.on('data', onData).on('error', () => undefined)
  for (const event of ['end', 'close']) req.once(event, () => clearTimeout(timer))
  req.resume()
}

async function write(res: NodeResponse, body: ReadableStream<Uint8Array>): Promise<void> {
  const writer: Writer = res
  const reader = body.getReader()
  const closed = new Promise<void>((resolve) => res.once('close', resolve))
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    if (res.destroyed) return reader.cancel()
    // Some responses of serverless platforms return nothing.
    if (writer.write(value) === false)
      await Promise.race([closed, new Promise<void>((resolve) => res.once('drain', resolve))])
  }
}

/**
 * Sends a `Response`. Cookies that the application has set before are kept. Never rejects.
 *
 * @param body - the body if it was read before: the whole response is then sent before this returns
 */
export async function send(
  response: Response,
  req: NodeRequest,
  res: NodeResponse,
  body?: Uint8Array,
): Promise<void> {
  if (res.headersSent || res.destroyed) return
  res.statusCode = response.status
  for (const [name, value] of response.headers)
    if (name !== 'set-cookie') res.setHeader(name, value)
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) res.setHeader('set-cookie', [...readSetCookies(res), ...cookies])
  discardRest(req, res)
  const writer: Writer = res
  try {
    if (req.method !== 'HEAD') {
      if (body === undefined && response.body) await write(res, response.body)
      else if (body && body.byteLength > 0) writer.write(body)
    }
    res.end()
  } catch {
    // The stream of the application failed after the head was sent: the client must not treat the response as complete.
    res.destroy()
  }
}
