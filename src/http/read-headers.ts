/** A request in the forms that servers have it: a `Request`, its headers, or a plain object of headers. */

/** Headers by name, in any case; the `IncomingHttpHeaders` of Node is one. */
export type HeaderRecord = Readonly<Record<string, string | readonly string[] | undefined>>

/** What a session can be read from. */
export type RequestLike = Request | Headers | HeaderRecord

/** What is known of a request. */
export interface ReadRequest {
  readonly headers: Headers
  /** As the request reached us; without it, the headers are all there is. */
  readonly url?: URL
}

function isHeaders(given: object): given is Headers {
  return 'get' in given && typeof given.get === 'function'
}

/** A record may contain headers of these names, but no object. */
function isRequest(given: RequestLike): given is Request {
  return 'url' in given && typeof given.headers === 'object' && !Array.isArray(given.headers)
}

/** Names that only HTTP/2 has (RFC 9113 §8.3.1); `:authority` takes the place of Host. */
function nameOf(name: string): string | null {
  if (!name.startsWith(':')) return name
  return name === ':authority' ? 'host' : null
}

function fromRecord(record: HeaderRecord): Headers {
  const headers = new Headers()
  for (const [key, value] of Object.entries(record)) {
    const name = nameOf(key)
    if (name === null || (name !== key && headers.has(name))) continue
    const separator = name.toLowerCase() === 'cookie' ? '; ' : ', '
    if (Array.isArray(value)) headers.set(name, value.join(separator))
    else if (typeof value === 'string') headers.set(name, value)
  }
  return headers
}

/** The headers of a request, and its URL if it has one. */
export function readHeaders(given: RequestLike): ReadRequest {
  if (isHeaders(given)) return { headers: given }
  if (!isRequest(given)) return { headers: fromRecord(given) }
  return {
    headers: isHeaders(given.headers) ? given.headers : fromRecord(given.headers),
    ...(URL.canParse(given.url) && { url: new URL(given.url) }),
  }
}
