import { InvalidConfiguration } from '../errors/classes.ts'
import { isRecord } from '../is-record.ts'

/** Headers by name, in any case, such as `IncomingHttpHeaders` of Node. */
export type HeaderRecord = Readonly<Record<string, string | readonly string[] | undefined>>

/** A request as servers have it, such as `IncomingMessage` of Node or `Request` of Express. */
export interface ServerRequest {
  readonly headers: Headers | HeaderRecord
  /** Ignored if it is relative. */
  readonly url?: string | undefined
  readonly method?: string | undefined
}

/** A request from which a session can be read. */
export type RequestLike = Request | ServerRequest | Headers | HeaderRecord

/** Reads single headers. The names are in lower case. */
export type HeaderReader = Pick<Headers, 'get'>

export type Address = Pick<URL, 'protocol' | 'host' | 'searchParams'>

/** An address whose host has one spelling: the rest of the URL is parsed if it is read. */
export class PlainAddress implements Address {
  readonly protocol: string
  readonly host: string
  readonly #parse: () => URL

  constructor({ protocol, host, parse }: Omit<Address, 'searchParams'> & { parse: () => URL }) {
    this.protocol = protocol
    this.host = host.toLowerCase()
    this.#parse = parse
  }

  get searchParams(): URLSearchParams {
    return this.#parse().searchParams
  }
}

/** What a read of the session needs of a request. */
export interface ReadRequest {
  readonly headers: HeaderReader
  /** As received; if missing, only the headers are available. */
  readonly url?: Address | undefined
  readonly method?: string | undefined
}

export interface CompleteRequest extends ReadRequest {
  readonly headers: Headers
  readonly url?: URL | undefined
}

function has<Name extends string>(
  given: object,
  method: Name,
): given is Record<Name, (name: string) => unknown> {
  return typeof (given as Record<string, unknown>)[method] === 'function'
}

function isHeaders(given: object): given is Headers {
  return has(given, 'get') && has(given, 'has')
}

/** The headers that decide about cookies, tokens, the origin and the page that sent the request. */
const USED_HEADERS = [
  'authorization',
  'cookie',
  'host',
  'origin',
  'referer',
  'sec-fetch-site',
  'x-forwarded-host',
  'x-forwarded-proto',
]

function toHeaders(given: Headers | HeaderRecord): Headers {
  if (isHeaders(given)) return given
  const { get } = headerReader(given)
  return fromRecord(
    has(given, 'get') ? Object.fromEntries(USED_HEADERS.map((name) => [name, get(name)])) : given,
  )
}

/** A header record may have an entry `headers`, but it is not an object. */
function isRequest(given: RequestLike): given is Request | ServerRequest {
  return 'headers' in given && isRecord(given.headers)
}

/** Drops HTTP/2 pseudo-headers (RFC 9113 §8.3.1), except that `:authority` replaces a missing Host. */
function fromRecord(record: Readonly<Record<string, unknown>>): Headers {
  const headers = new Headers()
  for (const [key, value] of Object.entries(record)) {
    const name = key === ':authority' ? 'host' : key
    if (name.startsWith(':') || (name !== key && headers.has(name))) continue
    const text = asText(value, name.toLowerCase() === 'cookie' ? '; ' : ', ')
    if (text !== null) headers.set(name, text)
  }
  return headers
}

function asText(value: unknown, separator: string): string | null {
  if (Array.isArray(value)) return value.join(separator)
  return typeof value === 'string' ? value : null
}

function findValue(record: Readonly<Record<string, unknown>>, name: string): unknown {
  // Some test doubles have nothing but `get`.
  if (has(record, 'get')) return record.get(name)
  const value = record[name]
  if (value !== undefined) return value
  for (const key of Object.keys(record))
    if (key.length === name.length && key.toLowerCase() === name) return record[key]
  return name === 'host' ? record[':authority'] : undefined
}

/** Reads single headers of a record: to create `Headers` takes longer than to read a session that is cached. */
export function headerReader(record: Readonly<Record<string, unknown>>): HeaderReader {
  return {
    get: (name) => asText(findValue(record, name), name === 'cookie' ? '; ' : ', '),
  }
}

interface GivenRequest {
  readonly headers: Headers | HeaderRecord
  readonly url?: URL | undefined
  readonly method?: string | undefined
}

function parseRequest(given: RequestLike): GivenRequest {
  if (given instanceof Headers) return { headers: given }
  if (typeof given !== 'object' || given === null)
    throw new InvalidConfiguration(
      `The request is missing (got ${given === null ? 'null' : typeof given}). Pass the Request, or all of its headers.`,
    )
  if (has(given, 'then'))
    throw new InvalidConfiguration(
      'The request is a Promise. Await it first, as in getSession(await headers(), config).',
    )
  if (!isRequest(given)) return { headers: given }
  const { headers, url: sent, method } = given
  const url = sent !== undefined && URL.canParse(sent) ? new URL(sent) : undefined
  return { headers, url, method }
}

/** @throws InvalidConfiguration if the argument is not a request or its headers */
export function readHeaders(given: RequestLike): CompleteRequest {
  const { headers, url, method } = parseRequest(given)
  return { headers: toHeaders(headers), url, method }
}

/** The same as {@link readHeaders}, if only single headers are read. */
export function readRequest(given: RequestLike): ReadRequest {
  const { headers, url, method } = parseRequest(given)
  return { headers: isHeaders(headers) ? headers : headerReader(headers), url, method }
}
