import type { PagesOptions } from '../config/types.ts'
import type { AuthAction } from '../types.ts'

export interface PageSite {
  readonly origin: string
  readonly config: { readonly basePath: string; readonly pages: PagesOptions }
}

export type ReplaceablePage = 'signIn' | 'signOut' | 'error' | 'verifyRequest'

const routes: Readonly<Record<ReplaceablePage, AuthAction>> = {
  signIn: 'signin',
  signOut: 'signout',
  error: 'error',
  verifyRequest: 'verify-request',
}

export function builtInPageUrl(page: ReplaceablePage, { origin, config }: PageSite): URL {
  return new URL(`${config.basePath}/${routes[page]}`, origin)
}

/** URL of the configured page, which may be relative, or of the built-in one. */
export function pageUrl(page: ReplaceablePage, site: PageSite): URL {
  const own = site.config.pages[page]
  return own ? new URL(own, site.origin) : builtInPageUrl(page, site)
}

/** An error on these routes is shown in place, because a redirect could loop. */
export function isPageAction(action: AuthAction | undefined): boolean {
  return Object.values(routes).some((route) => route === action)
}
