/** How a caller wants to hear of a redirect, or of a failure. */
export type Wanted = 'redirect' | 'url' | 'json'

/** Media types, as they compare: in small letters (RFC 9110 §8.3.1). */
function typesIn(headers: Headers, name: 'accept' | 'content-type'): string {
  return headers.get(name)?.toLowerCase() ?? ''
}

/** What the headers of a request ask for. */
export function wanted(headers: Headers): Wanted {
  if (headers.has('x-auth-return-redirect')) return 'url'
  if (typesIn(headers, 'content-type').includes('application/json')) return 'json'
  const accept = typesIn(headers, 'accept')
  return accept.includes('application/json') && !accept.includes('text/html') ? 'json' : 'redirect'
}
