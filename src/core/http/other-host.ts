/** Detects that the configured origin is not the address in the browser, as after a change of the port in development. */
import { nodeEnv } from '../config/variables.ts'
import { forwardedHosts, isHost, isPrivateHost } from './origin.ts'
import type { HeaderReader } from './read-headers.ts'

/** Headers of proxies that may not pass the host on. */
const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-proto', 'x-real-ip']

/** Without `NODE_ENV`, only for an origin of this machine or network: else a proxy may have replaced the host. */
function isDevelopment(origin: URL): boolean {
  const mode = nodeEnv()
  return mode === 'development' || (mode === undefined && isPrivateHost(origin.host))
}

/**
 * Describes, in development, a request to another host or port of this machine or network than the configured origin;
 * `undefined` for any other request, or if a proxy may be the cause.
 */
export function describeOtherHost(configured: string, headers: HeaderReader): string | undefined {
  const origin = new URL(configured)
  if (!isDevelopment(origin)) return undefined
  const forwarded = forwardedHosts(headers)
  if (forwarded.length === 0 && PROXY_HEADERS.some((name) => headers.get(name) !== null))
    return undefined
  const hosts = [headers.get('host') ?? '', ...forwarded]
  const sent = hosts.map((host) => (isHost(host) ? new URL(`${origin.protocol}//${host}`) : null))
  const last = sent.at(-1)
  if (!last || !isPrivateHost(last.host) || sent.some((url) => url?.host === origin.host))
    return undefined
  return `A request was sent to ${last.origin}, but AUTH_URL (origin in the configuration) is ${origin.origin}: redirects lead there, and forms of other origins are rejected. Open ${origin.origin}, or set AUTH_URL=${last.origin}.`
}
