import { createRoutes } from '../client/routes.ts'
import type { Routes } from '../client/routes.ts'
import type { SessionStore } from '../client/store.ts'
import type * as Forms from './forms.ts'

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

/** Loaded on demand: not needed to show a page. */
export function loadForms(): Promise<typeof Forms> {
  return import('./forms.ts')
}

export function pageUrl(page: string, query?: Record<string, string>): string {
  const search = new URLSearchParams({ ...query, callbackUrl: globalThis.location.href })
  return `${routes().url}/${page}?${search}`
}
