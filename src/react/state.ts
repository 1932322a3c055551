/** What the functions of this module and the provider share: where the routes are, and the session. */
import { createRoutes } from '../client/routes.ts'
import type { Routes } from '../client/routes.ts'
import type { SessionStore } from '../client/store.ts'

interface SharedState {
  /** Where the routes are. */
  basePath: string
  /** That of the provider on the page; on a server, and before it is shown, there is none. */
  store: SessionStore | undefined
}

/** One for each page: the browser has one session. On a server it holds nothing about who asks. */
export const shared: SharedState = { basePath: '/api/auth', store: undefined }

/** The routes, where they are now. */
export function routes(): Routes {
  return createRoutes(shared)
}

/** Address of one of the pages of the routes, which leads back to this one. */
export function pageUrl(page: string, query?: Record<string, string>): string {
  const search = new URLSearchParams({ ...query, callbackUrl: globalThis.location.href })
  return `${routes().url}/${page}?${search}`
}
