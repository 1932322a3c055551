/** Which URLs of a provider may be used. */
import { InvalidEndpoints } from '../../errors/configuration.ts'
import { isLoopback } from '../../http/origin.ts'

/** Which plain http is accepted besides https: none, that of this machine, or any. */
export type HttpPolicy = 'none' | 'loopback' | 'any'

/** Whether an endpoint may be used. */
export function isAllowed(url: URL, policy: HttpPolicy): boolean {
  if (url.protocol === 'https:') return true
  return (
    url.protocol === 'http:' &&
    (policy === 'any' || (policy === 'loopback' && isLoopback(url.hostname)))
  )
}

/**
 * An endpoint, parsed.
 *
 * @throws InvalidEndpoints when it is no URL, or one that must not be used
 */
export function endpointUrl(url: string, policy: HttpPolicy, what: string): URL {
  if (!URL.canParse(url)) throw new InvalidEndpoints(`${what} is not a URL.`)
  const parsed = new URL(url)
  if (!isAllowed(parsed, policy))
    throw new InvalidEndpoints(
      `${what} is ${parsed.protocol}//${parsed.host}, not https. Set [insecureHttp]: true on the provider to allow http.`,
    )
  return parsed
}
