import { isServerCall } from './server-call.ts'
import { chain } from '../async/awaitable.ts'
import type { ResolvedConfig, SessionContext } from '../contracts.ts'
import { TIMEOUTS, withTimeout } from '../async/timeout.ts'
import { AuthError } from '../errors/base.ts'
import {
  ContentTooLarge,
  InvalidRequest,
  MethodNotAllowed,
  RequestTimeout,
  UnknownAction,
  UnsupportedMediaType,
} from '../errors/classes.ts'
import { isRecord } from '../is-record.ts'
import { plainText } from '../log/redact.ts'
import type { Awaitable } from '../types.ts'
import type { AuthRequest } from './auth-request.ts'
import { parsePath } from './path.ts'
import type { Route } from './path.ts'

const MAX_QUERY_LENGTH = 8 * 1024
const MAX_SHOWN_PATH = 128
const MAX_BODY_BYTES = 64 * 1024
const MAX_FIELDS = 50
const MAX_FIELD_BYTES = 8 * 1024
/** The response of a passkey, with the certificates of its authenticator. */
const MAX_DATA_BYTES = 32 * 1024
const MAX_PASSWORD_BYTES = 4 * 1024
const MAX_DEPTH = 8

/** Keys that could pollute a prototype. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Must not be repeated: two parsers could pick different values (parameter pollution, RFC 6749 §3.1). */
const PROTOCOL_PARAMETERS = [
  'code',
  'state',
  'iss',
  'error',
  'id_token',
  'response',
  'email',
  'token',
  'csrfToken',
  'callbackUrl',
]

/** The same for the ceremonies of passkeys. */
const CEREMONY_PARAMETERS = [...PROTOCOL_PARAMETERS, 'action', 'data']

type Body = Pick<AuthRequest, 'body' | 'form'>

const NO_BODY: Body = { body: {} }

const LOGOUT_PARAMETERS = ['logout_token', 'iss', 'sid', 'state']

function singleParameters(
  { action, providerId }: Route,
  { providers }: ResolvedConfig,
): readonly string[] {
  if (action.endsWith('-logout')) return LOGOUT_PARAMETERS
  const isPasskey = providerId !== undefined && providers.get(providerId)?.type === 'webauthn'
  return isPasskey ? CEREMONY_PARAMETERS : PROTOCOL_PARAMETERS
}

function rejectRepeated(parameters: URLSearchParams, names: readonly string[]): void {
  for (const name of names)
    if (parameters.getAll(name).length > 1)
      throw new InvalidRequest(`The parameter "${name}" occurs more than once.`)
}

const encoder = new TextEncoder()

function checkKey(key: string): void {
  if (FORBIDDEN_KEYS.has(key)) throw new InvalidRequest(`A field must not be named "${key}".`)
}

function checkLength(name: string, value: string): void {
  const longest = name === 'data' ? MAX_DATA_BYTES : MAX_FIELD_BYTES
  const limit = /password/i.test(name) ? MAX_PASSWORD_BYTES : longest
  // A UTF-16 code unit takes at most three bytes of UTF-8, so most values need no encoding.
  if (value.length * 3 > limit && encoder.encode(value).byteLength > limit)
    throw new ContentTooLarge(`A field exceeds ${limit} bytes.`)
}

function checkNested(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null) return
  if (depth > MAX_DEPTH) throw new InvalidRequest(`The body is nested deeper than ${MAX_DEPTH}.`)
  for (const [key, inner] of Object.entries(value)) {
    checkKey(key)
    checkNested(inner, depth + 1)
  }
}

function checkedFields(
  entries: readonly (readonly [name: string, value: unknown])[],
): Body['body'] {
  if (entries.length > MAX_FIELDS)
    throw new ContentTooLarge(`The body has more than ${MAX_FIELDS} fields.`)
  for (const [name, value] of entries) {
    checkKey(name)
    if (typeof value === 'string') checkLength(name, value)
    else checkNested(value, 2)
  }
  return Object.fromEntries(entries)
}

function parseForm(form: string, single: readonly string[]): Body {
  const parameters = new URLSearchParams(form)
  const entries = [...parameters]
  const body = checkedFields(entries)
  if (Object.keys(body).length === entries.length) return { body, form }
  rejectRepeated(parameters, single)
  return { body }
}

function parseJson(text: string): Body {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // Without the cause, whose message quotes the body.
    throw new InvalidRequest('The request body is not valid JSON.')
  }
  if (!isRecord(value)) throw new InvalidRequest('The request body is not a JSON object.')
  return { body: checkedFields(Object.entries(value)) }
}

async function readText(stream: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let length = 0
  let last: Uint8Array | undefined
  const readAll = async (): Promise<string> => {
    for (;;) {
      const { done, value } = await reader.read()
      // One chunk late, because decoding a body of one chunk without `stream` takes less time.
      if (last) text += decoder.decode(last, { stream: !done })
      if (done) return text
      length += value.byteLength
      if (length > MAX_BODY_BYTES)
        throw new ContentTooLarge(`The request body exceeds ${MAX_BODY_BYTES} bytes.`)
      last = value
    }
  }
  try {
    return await withTimeout(readAll(), {
      what: 'The body of the request',
      timeout: TIMEOUTS.body,
      timeoutError: (message) => new RequestTimeout(message),
    })
  } catch (error) {
    // Stops reading from a client that sends too much, or nothing.
    void reader.cancel().catch(() => undefined)
    if (error instanceof AuthError) throw error
    throw new InvalidRequest('The request body ended early.', { cause: error })
  }
}

/** Parses a form or a JSON object: at most 64 KiB, 50 fields, 8 KiB in one field (`data`: 32 KiB), within 10 seconds. */
async function readBody(request: Request, single: readonly string[]): Promise<Body> {
  if (!request.body) return NO_BODY
  if (request.bodyUsed || request.body.locked)
    throw new InvalidRequest(
      'The request body was already consumed. Mount the handler before body parsers.',
    )
  const [type = ''] = (request.headers.get('content-type') ?? '').split(';')
  const parseBody = parsers.get(type.trim().toLowerCase())
  if (Number(request.headers.get('content-length')) > MAX_BODY_BYTES)
    throw new ContentTooLarge(`The request body exceeds ${MAX_BODY_BYTES} bytes.`)
  if (parseBody) return parseBody(await readText(request.body), single)
  if (type === '' && (await readText(request.body)) === '') return NO_BODY
  throw new UnsupportedMediaType(
    'Send the body as application/x-www-form-urlencoded or application/json.',
  )
}

const parsers: ReadonlyMap<string, (text: string, single: readonly string[]) => Body> = new Map([
  ['application/x-www-form-urlencoded', parseForm],
  ['application/json', parseJson],
])

function readMethod(request: Request): 'GET' | 'POST' {
  if (request.method === 'POST') return 'POST'
  if (request.method === 'GET' || request.method === 'HEAD') return 'GET'
  throw new MethodNotAllowed('The method of the request is not GET, HEAD or POST.', {
    allow: 'GET, POST',
  })
}

function unknownRoute(path: string, basePath: string): UnknownAction {
  const publicMessage = `There is no route ${plainText(path, MAX_SHOWN_PATH)}. The base path of the routes is ${basePath || '/'}.`
  return new UnknownAction(
    `${publicMessage} Check basePath, the path of AUTH_URL, and where the routes are: the folder of the route file, or the path of the handler.`,
    {
      publicMessage,
    },
  )
}

/** Parses a request into a route and bounded, typed input. @throws UnknownAction, MethodNotAllowed, InvalidRequest */
export function parse(
  request: Request,
  { url, config, secrets }: Pick<SessionContext, 'config' | 'secrets'> & { readonly url: URL },
): Awaitable<AuthRequest> {
  const route = parsePath(url.pathname, config.basePath)
  if (!route) throw unknownRoute(url.pathname, config.basePath)
  const method = readMethod(request)
  const single = singleParameters(route, config)
  if (url.search) {
    if (url.search.length > MAX_QUERY_LENGTH)
      throw new InvalidRequest(`The query exceeds ${MAX_QUERY_LENGTH} characters.`)
    rejectRepeated(url.searchParams, single)
  }
  return chain(method === 'POST' ? readBody(request, single) : NO_BODY, (read) => {
    secrets.addKeysOf(read.body)
    const isHead = request.method === 'HEAD'
    return {
      method,
      isHead,
      ...route,
      url,
      headers: request.headers,
      ...read,
      original: request,
      isServerCall: isServerCall(request),
    }
  })
}

function serializeBody(headers: Headers, body: AuthRequest['body']): string {
  if (headers.get('content-type')?.toLowerCase().includes('json')) return JSON.stringify(body)
  const entries = Object.entries(body).map(([name, value]) => [name, String(value)])
  return new URLSearchParams(entries).toString()
}

/** The request for functions of the application: its body was consumed, so it is serialized again. */
export function rebuildRequest(
  { headers, original, body, form }: AuthRequest,
  isOmitted: (field: string) => boolean = () => false,
): Request {
  const kept = Object.entries(body).filter(([name]) => !isOmitted(name))
  const isWhole = kept.length === Object.keys(body).length
  const text = isWhole ? form : undefined
  const rebuilt = new Request(original.url, {
    method: 'POST',
    headers,
    body: text ?? serializeBody(headers, Object.fromEntries(kept)),
  })
  rebuilt.headers.delete('content-length')
  rebuilt.headers.delete('transfer-encoding')
  return rebuilt
}
