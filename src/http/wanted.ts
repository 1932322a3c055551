/** How a caller wants to hear of a redirect, or of a failure. */
export type Wanted = 'redirect' | 'url' | 'json'

/** What the headers of a request ask for. */
export function wanted(headers: Headers): Wanted {
  if (headers.has('x-auth-return-redirect')) return 'url'
  if (headers.get('content-type')?.includes('application/json')) return 'json'
  const accept = headers.get('accept')
  return accept?.includes('application/json') && !accept.includes('text/html') ? 'json' : 'redirect'
}
