/** What tests of the redirect proxy share: deployments that no provider knows, and the one that all know. */
import type { Browser, Issuer } from '../src/testing/index.ts'
import { expectSignedIn, site } from './oauth.ts'
import type { Site, SiteOptions } from './oauth.ts'

export const PROXY = 'https://auth.example.test'
export const PREVIEW = 'https://preview-1.example.test'

/** A site that knows of the proxy; the proxy itself, when it is at its origin. */
export function deployment(op: Issuer, origin: string, options: SiteOptions = {}): Site {
  return site(op, {
    ...options,
    browser: { origin, ...options.browser },
    config: { redirectProxyUrl: `${PROXY}/auth`, ...options.config },
  })
}

/** The proxy, which sends answers on to these. */
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

/** The browser of somebody whom another site has sent here. */
export function arrive({ tab }: { readonly tab: Browser }, url: string | null): Promise<Response> {
  return tab.request(url ?? '', { initiator: 'cross-site' })
}

export const locationOf = (response: Response): string => response.headers.get('location') ?? ''

/** Signs in from the button to the end, through the proxy. */
export async function expectSignedInAt(preview: Site, proxy: Site): Promise<void> {
  const transaction = await preview.tab.begin('op', { callbackUrl: '/members' })
  const { url } = await preview.op.authorize(transaction.url)
  const response = await arrive(preview, locationOf(await arrive(proxy, url)))
  await expectSignedIn(preview, response, `${preview.tab.origin}/members`)
}
