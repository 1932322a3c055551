import type { TrustPolicy } from '../contracts.ts'
import { UntrustedHost } from '../errors/configuration.ts'
import { InvalidRequest } from '../errors/request.ts'
import { nodeEnv } from '../variables.ts'

const HOST = /^(?:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/**
 * Addresses of the inside: this machine, private networks, names without a dot (RFC 6761 §6.3, RFC 1918,
 * RFC 4193).
 */
const PRIVATE_ADDRESS =
  /^(?:localhost|.*\.localhost|0\.0\.0\.0|(?:127|10)(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}|\[::1?\]|\[f[cd][\da-f]{2}:[\da-f:]*\]|[^.:[\]]+)$/i

/** Addresses that never leave the machine. */
const LOOPBACK = /^(?:localhost|.*\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

const NONE: readonly string[] = []

function hostname(host: string): string {
  return host.replace(/:\d+$/, '')
}

/** Whether a host name stands for this machine. */
export function isLoopback(name: string): boolean {
  return LOOPBACK.test(name)
}

/** Whether a port is the one a pattern names; a pattern without port stands for the defaults of http and https. */
function matchesPort(port: string, wanted: string): boolean {
  if (wanted === '*') return true
  return wanted === '' ? ['', '80', '443'].includes(port) : port === wanted
}

/** The name of a host or pattern, and its port or `*`; empty without one. */
function splitPort(text: string): readonly [name: string, port: string] {
  const [end = ''] = /:(?:\d+|\*)$/.exec(text) ?? []
  return [text.slice(0, text.length - end.length).toLowerCase(), end.slice(1)]
}

/** Whether a host matches one of the patterns: `example.com`, `*.example.com` for one label, each with a port or `:*`. */
function matches(host: string, patterns: readonly string[]): boolean {
  const [name, port] = splitPort(host)
  return patterns.some((pattern) => {
    const [wanted, wantedPort] = splitPort(pattern)
    if (!matchesPort(port, wantedPort)) return false
    if (!wanted.startsWith('*.')) return name === wanted
    const label = name.slice(0, -(wanted.length - 1))
    return name.endsWith(wanted.slice(1)) && label !== '' && !label.includes('.')
  })
}

function isInside(host: string): boolean {
  return PRIVATE_ADDRESS.test(hostname(host))
}

/** A name as nearly every host is: it is spelled in one way only, and needs no parser. */
const PLAIN_NAME = /^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)*[a-z](?:[a-z\d-]*[a-z\d])?$/i

/** Whether a host is plain; names with two hyphens in a row may be encoded Unicode (RFC 5891 §4.2.3.1). */
function isPlain(host: string): boolean {
  return PLAIN_NAME.test(host) && !host.includes('--')
}

function isHost(text: string): boolean {
  return isPlain(text) || (HOST.test(text) && URL.canParse(`http://${text}`))
}

/** The entries of a header that every proxy on the way may have added to. */
function entries(headers: Headers, name: string): readonly string[] {
  const value = headers.get(name)
  if (value === null) return NONE
  return value.includes(',') ? value.split(',').map((entry) => entry.trim()) : [value.trim()]
}

const PROTOCOLS: ReadonlyMap<string, 'http:' | 'https:'> = new Map([
  ['http', 'http:'],
  ['https', 'https:'],
])

/** What the first proxy on the way says about the connection; only two answers mean anything. */
export function forwardedProtocol(headers: Headers): 'http:' | 'https:' | undefined {
  const value = headers.get('x-forwarded-proto')
  if (value === null) return undefined
  const known = PROTOCOLS.get(value)
  if (known) return known
  const [first = ''] = value.split(',', 1)
  return PROTOCOLS.get(first.trim().toLowerCase())
}

/** The entries of `X-Forwarded-Host`, nearest to us last. */
function forwardedHosts(headers: Headers): readonly string[] {
  const hosts = entries(headers, 'x-forwarded-host')
  return hosts === NONE ? NONE : hosts.filter(Boolean)
}

/** The host that the proxy next to us forwards. A client can send every entry before the last. */
export function forwardedHost(headers: Headers): string | undefined {
  const last = forwardedHosts(headers).at(-1)
  return last !== undefined && isHost(last) ? last : undefined
}

/**
 * The Host header, if there is one.
 *
 * @throws InvalidRequest when it is no host (RFC 9110 §7.2)
 */
export function hostHeader(headers: Headers): string | undefined {
  const host = headers.get('host') ?? undefined
  if (host === undefined || isHost(host)) return host
  throw new InvalidRequest('The Host header is not a valid host name.')
}

/** Whether this is the origin of a site, and nothing more. */
export function isOrigin(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null
  return (url?.protocol === 'https:' || url?.protocol === 'http:') && url.origin === text
}

interface Candidate {
  readonly host: string
  /** Which header, or URL, said so. */
  readonly source: string
}

/** What the request says without any proxy. */
function directHost(url: URL | undefined, headers: Headers): Candidate | undefined {
  const host = hostHeader(headers)
  // A server that hands us its own address instead of what people typed: the header is nearer to them.
  if (host !== undefined && (!url?.host || isInside(url.host)))
    return { host, source: 'Host header' }
  return url?.host ? { host: url.host, source: 'URL of the request' } : undefined
}

/**
 * The forwarded host, if it is trusted. Any client can send that header: it is trusted when the host is expected, or when
 * a proxy has visibly replaced the Host header by an address of its own; then only the last entry is from that proxy.
 *
 * @throws UntrustedHost when the last of several entries is a private address, so that a client may have sent the others
 */
function trustedForward(
  headers: Headers,
  direct: Candidate | undefined,
  { trustHost, trustedHosts }: TrustPolicy,
): string | undefined {
  const hosts = forwardedHosts(headers)
  const expected = hosts.findLast((host) => isHost(host) && matches(host, trustedHosts))
  if (expected !== undefined) return expected
  if (!trustHost || (direct && !isInside(direct.host))) return undefined
  const last = forwardedHost(headers)
  if (last === undefined || !isInside(last) || hosts.every(isInside)) return last
  throw new UntrustedHost(
    `The X-Forwarded-Host header has several entries and the last one is the private address "${last}", so the entries before it may be from the client. Set AUTH_URL to the URL of the site, or trustedHosts, or have the outermost proxy replace the header and the inner ones leave it unchanged.`,
  )
}

/** Which host people used, and who says so. */
function findHost(url: URL | undefined, headers: Headers, policy: TrustPolicy): Candidate {
  const direct = directHost(url, headers)
  const forwarded = headers.has('x-forwarded-host')
    ? trustedForward(headers, direct, policy)
    : undefined
  if (forwarded !== undefined) return { host: forwarded, source: 'X-Forwarded-Host header' }
  if (direct) return direct
  throw new InvalidRequest(
    'The headers contain no Host, so the origin is unknown. Pass the Request itself or all of its headers, or set AUTH_URL (origin in the configuration).',
  )
}

/** Whether nothing but the URL says which host it is: the usual case, which need not cost anything. */
function saysNoMore(url: URL, headers: Headers): boolean {
  const host = headers.get('host')
  return (host === null || host === url.host) && !headers.has('x-forwarded-host')
}

/** The protocol that a URL or a proxy states. */
export function statedProtocol(
  url: URL | undefined,
  headers: Headers,
): 'http:' | 'https:' | undefined {
  if (url?.protocol === 'https:') return 'https:'
  return forwardedProtocol(headers) ?? (url && 'http:')
}

/** The stated protocol, else the likely one. */
function findProtocol(url: URL | undefined, headers: Headers, host: string): 'http:' | 'https:' {
  return statedProtocol(url, headers) ?? (isLoopback(hostname(host)) ? 'http:' : 'https:')
}

/** Names the mode that no deployment means: hosts are rejected in it as in production. */
function modeAdvice(): string {
  const mode = nodeEnv() ?? 'not set'
  if (['production', 'development', 'test'].includes(mode)) return ''
  return ` NODE_ENV is ${mode}, so hosts are checked as in production; for development, set NODE_ENV=development.`
}

/**
 * The origin people use: the configured one, else that of the request as far as its headers can be
 * trusted.
 *
 * @throws UntrustedHost when nothing says that the host of the request can be trusted
 * @throws InvalidRequest when the Host header is not a host, or nothing names one
 */
export function publicOrigin(url: URL | undefined, headers: Headers, policy: TrustPolicy): string {
  if (policy.origin) return policy.origin
  const { host, source } =
    url && saysNoMore(url, headers)
      ? { host: url.host, source: 'URL of the request' }
      : findHost(url, headers, policy)
  if (!policy.trustHost && !matches(host, policy.trustedHosts))
    throw new UntrustedHost(
      `The host "${host}" (from the ${source}) is not trusted. Set AUTH_URL to the URL of the site, trustedHosts: ["${host}"], or trustHost: true (AUTH_TRUST_HOST=true) if the platform sets the Host header.${modeAdvice()}`,
    )
  const origin = `${findProtocol(url, headers, host)}//${host.toLowerCase()}`
  return isPlain(host) ? origin : new URL(origin).origin
}
