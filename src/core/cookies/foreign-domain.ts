import type { CookiePolicy } from './policy.ts'

/** Whether the host is the domain or below it (RFC 6265bis §5.1.3). */
function covers(domain: string, host: string): boolean {
  const name = domain.toLowerCase().replace(/^\./, '')
  return host === name || host.endsWith(`.${name}`)
}

/** A cookie whose Domain attribute does not cover the host: browsers reject it (RFC 6265bis §5.7). */
export interface ForeignDomain {
  readonly domain: string
  readonly message: string
}

/** The first such cookie of those that can be configured. */
export function findForeignDomain(policy: CookiePolicy, origin: string): ForeignDomain | undefined {
  const { sessionToken, callbackUrl, csrfToken, transaction, challenge } = policy
  for (const { name, options } of [sessionToken, callbackUrl, csrfToken, transaction, challenge]) {
    const { domain } = options
    if (!domain || covers(domain, new URL(origin).hostname)) continue
    const message = `Browsers reject the cookie ${name} at ${origin}: its options.domain, ${domain}, is not the host or a parent of it. Set the domain only where the site has it, as in production.`
    return { domain, message }
  }
  return undefined
}
