import type { CookiePolicy } from './policy.ts'

/**
 * Describes the first configured cookie whose Domain attribute is neither the host nor a parent of it: browsers reject it
 * (RFC 6265bis §5.7).
 */
export function describeForeignDomain(policy: CookiePolicy, origin: string): string | undefined {
  const { sessionToken, callbackUrl, csrfToken, transaction, challenge } = policy
  for (const { name, options } of [sessionToken, callbackUrl, csrfToken, transaction, challenge]) {
    const domain = options.domain?.toLowerCase().replace(/^\./, '')
    if (domain && !`.${new URL(origin).hostname}`.endsWith(`.${domain}`))
      return `Browsers reject the cookie ${name} at ${origin}: its options.domain, ${domain}, is not the host or a parent of it. Set the domain only where the site has it, as in production.`
  }
  return undefined
}
