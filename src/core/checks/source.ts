/** Which page sent a request, by headers that scripts cannot forge. */
import { MissingCSRF } from '../errors/classes.ts'
import type { HeaderReader } from '../http/read-headers.ts'

/** `unknown`: the headers do not show another origin. */
export function readSource(
  headers: HeaderReader,
  origin: string,
): 'same-origin' | 'foreign' | 'unknown' {
  const site = headers.get('sec-fetch-site')
  if (site === 'same-origin') return 'same-origin'
  if (site === 'cross-site' || site === 'same-site') return 'foreign'
  const sent = headers.get('origin')
  return sent === null || sent === origin ? 'unknown' : 'foreign'
}

/** Whether the headers, which scripts cannot forge, show that a page of this origin sent the request. */
export function isFromOrigin(headers: HeaderReader, origin: string): boolean {
  const source = readSource(headers, origin)
  return source === 'same-origin' || (source === 'unknown' && headers.get('origin') === origin)
}

/** Whether the headers show that a page of another origin sent the request. */
export function isForeign(headers: HeaderReader, origin: string): boolean {
  return readSource(headers, origin) === 'foreign'
}

/** Rejects a request that a page of another origin sent. @throws MissingCSRF */
export function checkSource(headers: HeaderReader, origin: string): void {
  if (!isForeign(headers, origin)) return
  const site = headers.get('sec-fetch-site')
  const reason = site?.endsWith('-site') ? `Sec-Fetch-Site: ${site}` : `its Origin is not ${origin}`
  throw new MissingCSRF(`The request comes from a page of another origin (${reason}).`)
}
