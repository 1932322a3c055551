/** What the functions of this module and the provider share: where the routes are, and the session. */
import { normalizeBasePath } from '../base-path.ts'
import { createClient } from '../client/client.ts'
import type { SessionStore } from '../client/store.ts'
import type { Client } from '../client/types.ts'

interface SharedState {
  basePath: string
  client: Client | undefined
  /** That of the provider on the page; there is none before it is rendered. */
  store: SessionStore | undefined
}

/** One for each page: the browser has one session. */
export const shared: SharedState = { basePath: '/api/auth', client: undefined, store: undefined }

/** Says where the routes are. */
export function setBasePath(path: string): void {
  const basePath = normalizeBasePath(path)
  if (basePath === shared.basePath) return
  shared.basePath = basePath
  shared.client = undefined
}

/** The client for where the routes are now. */
export function client(): Client {
  shared.client ??= createClient({ basePath: shared.basePath })
  return shared.client
}
