/** How a client receives redirects and errors. */
export type Wanted = 'redirect' | 'url' | 'json'

/** In lower case, because media types are case-insensitive (RFC 9110 §8.3.1). */
function typesIn(headers: Headers, name: 'accept' | 'content-type'): string {
  return headers.get(name)?.toLowerCase() ?? ''
}

export function wanted(headers: Headers): Wanted {
  if (headers.has('x-auth-return-redirect')) return 'url'
  if (typesIn(headers, 'content-type').includes('application/json')) return 'json'
  const accept = typesIn(headers, 'accept')
  return accept.includes('application/json') && !accept.includes('text/html') ? 'json' : 'redirect'
}
