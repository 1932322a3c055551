import { NOT_SHARED } from './cookies.ts'

/**
 * Whether a script sent the request, which cannot follow a redirect to a page.
 *
 * @param scriptHeaders - headers that scripts of the framework send
 */
export function isDataRequest(headers: Headers, scriptHeaders: readonly string[] = []): boolean {
  const destination = headers.get('sec-fetch-dest')
  if (destination !== null && destination !== 'document') return !destination.includes('frame')
  if (scriptHeaders.some((name) => headers.has(name))) return true
  const accept = headers.get('accept') ?? ''
  return accept.includes('application/json') && !accept.includes('text/html')
}

/** @param found - the status for a page, which the browser requests again with GET */
export function redirectToSignIn(
  method: string,
  location: string,
  found: 302 | 307 = 302,
): Response {
  const status = method === 'GET' || method === 'HEAD' ? found : 303
  return new Response(null, { status, headers: { ...NOT_SHARED, location } })
}

export function isNavigation(headers: Headers, scriptHeaders: readonly string[] = []): boolean {
  return (
    !isDataRequest(headers, scriptHeaders) && (headers.get('accept') ?? '').includes('text/html')
  )
}
