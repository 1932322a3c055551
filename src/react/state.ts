import { createRoutes } from '../client/routes.ts'
import type { Routes } from '../client/routes.ts'
import type { SessionStore } from '../client/store.ts'

interface SharedState {
  basePath: string
  /** Set while a provider is mounted; always `undefined` on a server. */
  store: SessionStore | undefined
}

/** One per page. On a server, it contains no data of a user. */
export const shared: SharedState = { basePath: '/api/auth', store: undefined }

export function routes(): Routes {
  return createRoutes(shared)
}

/** URL of a built-in page, with the current page as return URL. */
export function pageUrl(page: string, query?: Record<string, string>): string {
  const search = new URLSearchParams({ ...query, callbackUrl: globalThis.location.href })
  return `${routes().url}/${page}?${search}`
}
