import { isRecord } from '../../core/is-record.ts'

/**
 * Whether the request line of a request of Node.js contains an origin (RFC 9112 §3.2.2). Servers that build a `Request` of
 * it take the host from there, and ignore the Host header.
 */
export function isAbsoluteTarget(message: unknown): boolean {
  return isRecord(message) && typeof message['url'] === 'string' && !message['url'].startsWith('/')
}

/** The same URL on a host without meaning, so that the Host header decides. */
export function withoutHost({ pathname, search }: URL): URL {
  return new URL(`http://localhost${pathname}${search}`)
}
