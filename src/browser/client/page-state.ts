import { createRoutes } from './routes.ts'
import type { Routes } from './routes.ts'
import type { SessionStore } from './store.ts'

interface PageState {
  basePath: string
  /** Set while a provider is mounted; always `undefined` on a server. */
  store: SessionStore | undefined
}

/** One per page. On a server, it contains no data of a user. */
export const shared: PageState = { basePath: '/api/auth', store: undefined }

export function routes(): Routes {
  return createRoutes(shared)
}
