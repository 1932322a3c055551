/** Headers by name, in any case, such as `IncomingHttpHeaders` of Node. */
export type HeaderRecord = Readonly<Record<string, string | readonly string[] | undefined>>

/** A request from which a session can be read. */
export type RequestLike = Request | Headers | HeaderRecord

export interface ReadRequest {
  readonly headers: Headers
  /** As received; if missing, only the headers are available. */
  readonly url?: URL
}

function isHeaders(given: object): given is Headers {
  return 'get' in given && typeof given.get === 'function'
}

/** A header record may have entries `url` and `headers`, but neither is an object. */
function isRequest(given: RequestLike): given is Request {
  return 'url' in given && typeof given.headers === 'object' && !Array.isArray(given.headers)
}

/** Drops HTTP/2 pseudo-headers (RFC 9113 §8.3.1); `:authority` replaces Host. */
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

export function readHeaders(given: RequestLike): ReadRequest {
  if (isHeaders(given)) return { headers: given }
  if (!isRequest(given)) return { headers: fromRecord(given) }
  return {
    headers: isHeaders(given.headers) ? given.headers : fromRecord(given.headers),
    ...(URL.canParse(given.url) && { url: new URL(given.url) }),
  }
}
