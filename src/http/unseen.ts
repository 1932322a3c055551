import type { Reply } from '../contracts.ts'

const HEADERS = { 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' }

/** The reply, without showing the URL, which may hold a code, to the page that follows or to a search engine. */
export function unseen(reply: Reply): Reply {
  return { ...reply, headers: { ...HEADERS, ...reply.headers } }
}
