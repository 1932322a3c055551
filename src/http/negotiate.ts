/** How a client receives redirects and errors. */
export type ResponseFormat = 'redirect' | 'url' | 'json'

/** In lower case, because media types are case-insensitive (RFC 9110 §8.3.1). */
function mediaTypes(headers: Headers, name: 'accept' | 'content-type'): string {
  return headers.get(name)?.toLowerCase() ?? ''
}

export function negotiate(headers: Headers): ResponseFormat {
  if (headers.has('x-auth-return-redirect')) return 'url'
  if (mediaTypes(headers, 'content-type').includes('application/json')) return 'json'
  const accept = mediaTypes(headers, 'accept')
  return accept.includes('application/json') && !accept.includes('text/html') ? 'json' : 'redirect'
}
