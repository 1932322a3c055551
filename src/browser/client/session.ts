import type { DefaultSession, Session } from '../../core/types.ts'
import type { UpdateSession } from './session-value.ts'
import { update } from './forms.ts'
import { follow } from './refetch.ts'
import type { RefetchOptions } from './refetch.ts'
import { shared } from './page-state.ts'
import { createRoutes } from './routes.ts'
import { createStore } from './store.ts'
import type { ClientOptions } from './types.ts'

/** Options of {@link createSession}. */
export interface SessionOptions<S extends DefaultSession = Session> extends ClientOptions {
  /** The session that the server has read, which saves a request. `null`: unauthenticated. */
  session?: S | null | undefined
}

/** The session at one moment. */
export interface SessionSnapshot<S extends DefaultSession = Session> {
  /** `undefined`: loading. `null`: unauthenticated. */
  readonly session: S | null | undefined
  /** Whether the last read failed; `session` is the last known one. */
  readonly isUncertain: boolean
  /** Whether an update is pending; `session` is still the previous one. */
  readonly isUpdating: boolean
}

/** The session of a page or of one server rendering: what a binding for a user interface framework needs. */
export interface ClientSession<S extends DefaultSession = Session> {
  /** The current snapshot: the same object until the next change. */
  readonly state: () => SessionSnapshot<S>
  /** Calls the listener after each change, and returns a function that ends it. */
  readonly subscribe: (listener: () => void) => () => void
  /**
   * Follows the session in a browser: reads it if it is unknown, again when it may have changed, and when another tab
   * signs in or out. Returns a function that ends it. Never call it on a server.
   */
  readonly start: (options?: RefetchOptions) => () => void
  /** Stores the session that the server rendered for a later page. `undefined`: unknown, which changes nothing. */
  readonly accept: (session: S | null | undefined) => void
  /** Reads the session. A failed read keeps the last known one. */
  readonly refresh: () => Promise<S | null | undefined>
  /** Updates the session with this data and notifies other tabs; without data, reads it again. @throws ClientFetchError */
  readonly update: UpdateSession<S>
}

/**
 * Creates the session of a page, for user interface frameworks without a client of their own. On a server, create one for each
 * request: it holds the session of one user.
 *
 * @example
 * ```ts
 * import { createSession } from 'lib-auth/client'
 *
 * const session = createSession({ basePath: '/auth' })
 * session.subscribe(() => {
 *   document.title = session.state().session?.user?.name ?? 'Signed out'
 * })
 * session.start()
 * ```
 */
export function createSession<S extends DefaultSession = Session>(
  options?: SessionOptions<S>,
): ClientSession<S>
export function createSession(options: SessionOptions = {}): ClientSession {
  const { session, basePath = shared.basePath } = options
  const routes = createRoutes(options)
  const source = {
    read: async (): Promise<Session | null> => routes.readJson('session'),
    update: async (data: unknown) => update(routes, data),
  }
  const store = createStore(source, session)
  return {
    ...store,
    start(refetch = {}) {
      shared.basePath = basePath
      return follow(store, refetch)
    },
  }
}
