import { ours, peer } from './auth.js'

/** Each route has only its own hook. */
export function handle(input) {
  const { pathname } = input.event.url
  if (pathname.startsWith('/ours')) return ours.handle(input)
  if (pathname.startsWith('/peer') || pathname.startsWith('/auth')) return peer.handle(input)
  return input.resolve(input.event)
}
