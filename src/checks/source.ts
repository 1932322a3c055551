/** The source of a request. A page cannot change these headers; a client that is not a browser may omit them. */
import { MissingCSRF } from '../errors/classes.ts'

/** `unknown`: the headers do not show another origin. */
export function sourceOf(headers: Headers, origin: string): 'same-origin' | 'foreign' | 'unknown' {
  const site = headers.get('sec-fetch-site')
  if (site === 'same-origin') return 'same-origin'
  if (site === 'cross-site' || site === 'same-site') return 'foreign'
  const sent = headers.get('origin')
  return sent === null || sent === origin ? 'unknown' : 'foreign'
}

/** Rejects a request that a page of another origin sent. @throws MissingCSRF */
export function checkSource(headers: Headers, origin: string): void {
  if (sourceOf(headers, origin) !== 'foreign') return
  const site = headers.get('sec-fetch-site')
  const reason = site?.endsWith('-site') ? `Sec-Fetch-Site: ${site}` : `its Origin is not ${origin}`
  throw new MissingCSRF(`The request comes from a page of another origin (${reason}).`)
}
