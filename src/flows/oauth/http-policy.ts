import { InvalidEndpoints } from '../../errors/configuration.ts'
import { isLoopback } from '../../http/origin.ts'

/** Where plain http is accepted in addition to https. */
export type HttpPolicy = 'none' | 'loopback' | 'any'

export function isAllowed(url: URL, policy: HttpPolicy): boolean {
  if (url.protocol === 'https:') return true
  return (
    url.protocol === 'http:' &&
    (policy === 'any' || (policy === 'loopback' && isLoopback(url.hostname)))
  )
}

/** Parses an endpoint URL. Throws InvalidEndpoints if it is not a URL, or http where only https is allowed. */
export function endpointUrl(url: string, policy: HttpPolicy, what: string): URL {
  if (!URL.canParse(url)) throw new InvalidEndpoints(`${what} is not a URL.`)
  const parsed = new URL(url)
  if (!isAllowed(parsed, policy))
    throw new InvalidEndpoints(
      `${what} is ${parsed.protocol}//${parsed.host}, not https. Set [insecureHttp]: true on the provider to allow http.`,
    )
  return parsed
}
