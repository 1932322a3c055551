/** Preview deployments, and the redirect proxy that is registered with the provider. */
import type { Browser, Issuer } from '../src/testing/index.ts'
import { expectSignedIn, site } from './oauth.ts'
import type { Site, SiteOptions } from './oauth.ts'

export const PROXY = 'https://auth.example.test'
export const PREVIEW = 'https://preview-1.example.test'

/** A deployment that uses the proxy; the proxy itself, if `origin` is {@link PROXY}. */
export function deployment(op: Issuer, origin: string, options: SiteOptions = {}): Site {
  return site(op, {
    ...options,
    browser: { origin, ...options.browser },
    config: { redirectProxyUrl: `${PROXY}/auth`, ...options.config },
  })
}

/** The proxy, which forwards responses to these origins. */
export function proxyFor(
  op: Issuer,
  redirectProxyAllowedOrigins: readonly string[],
  options: SiteOptions = {},
): Site {
  return deployment(op, PROXY, {
    ...options,
    config: { redirectProxyAllowedOrigins, ...options.config },
  })
}

/** Opens a URL to which another site has redirected the browser. */
export function arrive({ tab }: { readonly tab: Browser }, url: string | null): Promise<Response> {
  return tab.request(url ?? '', { initiator: 'cross-site' })
}

export const locationOf = (response: Response): string => response.headers.get('location') ?? ''

/** Expects that a sign-in through the proxy succeeds. */
export async function expectSignedInAt(preview: Site, proxy: Site): Promise<void> {
  const transaction = await preview.tab.begin('op', { callbackUrl: '/members' })
  const { url } = await preview.op.authorize(transaction.url)
  const response = await arrive(preview, locationOf(await arrive(proxy, url)))
  await expectSignedIn(preview, response, `${preview.tab.origin}/members`)
}
