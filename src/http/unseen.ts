import type { Reply } from '../contracts.ts'

const HEADERS = { 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' }

/** Keeps the URL of a callback, which may contain a code, from the next page and from search engines. */
export function unseen(reply: Reply): Reply {
  return { ...reply, headers: { ...HEADERS, ...reply.headers } }
}
