import type { TrustPolicy } from '../contracts.ts'
import { InvalidRequest, UntrustedHost } from '../errors/classes.ts'
import { nodeEnv } from '../config/variables.ts'
import type { Address, HeaderReader } from './read-headers.ts'

const HOST = /^(?:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/** Loopback and private addresses, and names without a dot (RFC 6761 §6.3, RFC 1918, RFC 4193). */
const PRIVATE_ADDRESS =
  /^(?:localhost|.*\.localhost|0\.0\.0\.0|(?:127|10)(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}|\[::1?\]|\[f[cd][\da-f]{2}:[\da-f:]*\]|[^.:[\]]+)(?::\d+)?$/i

const LOOPBACK = /^(?:localhost|.*\.localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i

export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host)
}

/** Splits off the port, or `*`; empty if it is missing. */
function splitPort(text: string): readonly [name: string, port: string] {
  const [end = ''] = /:(?:\d+|\*)$/.exec(text) ?? []
  return [text.slice(0, text.length - end.length).toLowerCase(), end.slice(1)]
}

/** What a pattern without port matches: the default ports of http and https. */
const DEFAULT_PORTS = ['', '80', '443']

/** Patterns are `example.com`, or `*.example.com` for one label, each with an optional port or `:*`. */
function matches(host: string, patterns: readonly string[] = []): boolean {
  const [name, port] = splitPort(host)
  return patterns.some((pattern) => {
    const [expected, expectedPort] = splitPort(pattern)
    const ports = expectedPort === '' ? DEFAULT_PORTS : [expectedPort]
    if (expectedPort !== '*' && !ports.includes(port)) return false
    if (!expected.startsWith('*.')) return name === expected
    const label = name.slice(0, -(expected.length - 1))
    return name.endsWith(expected.slice(1)) && label !== '' && !label.includes('.')
  })
}

/** Whether the configuration lists exactly this host, not by a wildcard, so that clients cannot choose another one. */
export function isListedHost(origin: string, policy: TrustPolicy): boolean {
  if (policy.origin) return true
  const [host] = splitPort(origin.replace(/^https?:\/\//, ''))
  return policy.trustedHosts?.some((pattern) => splitPort(pattern)[0] === host) ?? false
}

export function isPrivateHost(host: string): boolean {
  return PRIVATE_ADDRESS.test(host)
}

/** A name with `--` may be encoded Unicode (RFC 5891 §4.2.3.1). Shorter and larger ports may be default or invalid. */
const PLAIN_HOST =
  /^(?:[a-z\d]+(?:-[a-z\d]+)*\.)*[a-z][a-z\d]*(?:-[a-z\d]+)*(?::(?:[1-9]\d{3}|[1-5]\d{4}))?$/i

/** Fast path: whether the host is valid, and a URL does not change it, except to lower case. */
export function hasOneSpelling(host: string): boolean {
  return PLAIN_HOST.test(host)
}

export function isHost(text: string): boolean {
  return hasOneSpelling(text) || (HOST.test(text) && URL.canParse(`http://${text}`))
}

/** The protocol in the first entry of `X-Forwarded-Proto`; other values than http and https are ignored. */
export function forwardedProtocol(headers: HeaderReader): 'http:' | 'https:' | undefined {
  const [first = ''] = headers.get('x-forwarded-proto')?.split(',', 1) ?? []
  const name = first.trim().toLowerCase()
  return name === 'http' || name === 'https' ? `${name}:` : undefined
}

export function forwardedHosts(headers: HeaderReader): readonly string[] {
  const hosts = headers.get('x-forwarded-host')?.split(',') ?? []
  return hosts.map((host) => host.trim()).filter(Boolean)
}

/** The last entry, added by the nearest proxy: a client can send all entries before it. */
export function forwardedHost(headers: HeaderReader): string | undefined {
  const last = forwardedHosts(headers).at(-1)
  return last !== undefined && isHost(last) ? last : undefined
}

/** @throws InvalidRequest if the Host header is not a host (RFC 9110 §7.2) */
export function hostHeader(headers: HeaderReader): string | undefined {
  const host = headers.get('host') ?? undefined
  if (host === undefined || isHost(host)) return host
  throw new InvalidRequest('The Host header is not a valid host name.')
}

/** Whether a text is an http or https origin without path, query or trailing slash. */
export function isOrigin(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null
  return (url?.protocol === 'https:' || url?.protocol === 'http:') && url.origin === text
}

interface Candidate {
  readonly host: string
  readonly source: string
}

/**
 * The forwarded host, if `trustedHosts` lists it, or if a proxy has replaced the Host header by a private address; then
 * only the last entry is from that proxy. A client can send all others (host header injection).
 */
function trustedForward(
  headers: HeaderReader,
  direct: Candidate | undefined,
  { trustHost, trustedHosts }: TrustPolicy,
): string | undefined {
  const hosts = forwardedHosts(headers)
  const expected = hosts.findLast((host) => isHost(host) && matches(host, trustedHosts))
  if (expected !== undefined) return expected
  if (!trustHost || (direct && !isPrivateHost(direct.host))) return undefined
  const last = forwardedHost(headers)
  if (last === undefined || !isPrivateHost(last) || hosts.every(isPrivateHost)) return last
  throw new UntrustedHost(
    `The X-Forwarded-Host header has several entries and the last one is the private address "${last}", so the entries before it may be from the client. Set AUTH_URL to the URL of the site, or trustedHosts, or have the outermost proxy replace the header and the inner ones leave it unchanged.`,
  )
}

function findHost(url: Address | undefined, headers: HeaderReader, policy: TrustPolicy): Candidate {
  const forwarded = headers.get('x-forwarded-host')
  // Fast path: no header contains another host than the URL.
  if (url && forwarded === null && [null, url.host].includes(headers.get('host')))
    return { host: url.host, source: 'URL of the request' }
  const written = url?.host ? { host: url.host, source: 'URL of the request' } : undefined
  // The URL may contain the host of an absolute request target, which any client can send.
  const header = hostHeader(headers)
  const stated = header === undefined ? undefined : { host: header, source: 'Host header' }
  const trusted =
    forwarded === null ? undefined : trustedForward(headers, stated ?? written, policy)
  if (trusted !== undefined) return { host: trusted, source: 'X-Forwarded-Host header' }
  // A server that knows the public address writes it to the URL; the Host header is then that of the proxy in front of it.
  if (written && (!stated || (isPrivateHost(stated.host) && !isPrivateHost(written.host))))
    return written
  if (stated) return stated
  throw new InvalidRequest(
    'The headers contain no Host, so the origin is unknown. Pass the Request itself or all of its headers, or set AUTH_URL (origin in the configuration).',
  )
}

/** The protocol of the URL if it is https, else that of `X-Forwarded-Proto`, else that of the URL. */
export function requestProtocol(
  url: Address | undefined,
  headers: HeaderReader,
): 'http:' | 'https:' | undefined {
  if (url?.protocol === 'https:') return 'https:'
  return forwardedProtocol(headers) ?? (url && 'http:')
}

/** For an unusual `NODE_ENV`: hosts are rejected as in production. */
function modeAdvice(): string {
  const mode = nodeEnv() ?? 'not set'
  if (['production', 'development', 'test'].includes(mode)) return ''
  return ` NODE_ENV is ${mode}, so hosts are checked as in production; for development, set NODE_ENV=development.`
}

/** The host of the request, in any case. @throws UntrustedHost; InvalidRequest if it is missing or not valid */
export function trustedHost(
  url: Address | undefined,
  headers: HeaderReader,
  policy: TrustPolicy,
): string {
  const { host, source } = findHost(url, headers, policy)
  if (policy.trustHost || matches(host, policy.trustedHosts)) return host
  throw new UntrustedHost(
    `The host "${host}" (from the ${source}) is not trusted. Set AUTH_URL to the URL of the site, trustedHosts: ["${host}"], or trustHost: true (AUTH_TRUST_HOST=true) if the platform sets the Host header.${modeAdvice()}`,
  )
}

/** The public origin: the configured one, else that of the request. @throws the errors of {@link trustedHost} */
export function publicOrigin(
  url: Address | undefined,
  headers: HeaderReader,
  policy: TrustPolicy,
  protocol: string | undefined = requestProtocol(url, headers),
): string {
  if (policy.origin) return policy.origin
  const host = trustedHost(url, headers, policy)
  const assumed = () => (isLoopback(host) ? 'http:' : 'https:')
  const origin = `${protocol ?? assumed()}//${host.toLowerCase()}`
  return hasOneSpelling(host) ? origin : new URL(origin).origin
}
