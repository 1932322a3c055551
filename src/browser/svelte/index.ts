/** The session for Svelte 5: context, reactive getters, store and functions. */
import { getContext, onMount, setContext } from 'svelte'
import { createSubscriber } from 'svelte/reactivity'
import { toStore } from 'svelte/store'
import type { Readable } from 'svelte/store'
import { follow } from '../client/refetch.ts'
import type { RefetchOptions } from '../client/refetch.ts'
import { pageSource } from '../client/page-functions.ts'
import { shared } from '../client/page-state.ts'
import { sessionValue } from '../client/session-value.ts'
import type { SessionValue, UpdateSession } from '../client/session-value.ts'
import { createStore } from '../client/store.ts'
import type { SessionStore } from '../client/store.ts'
import type { SessionOf, TellsSession } from '../../core/session/session-of.ts'
import type { DefaultSession, Session } from '../../core/types.ts'

export * from '../client/exports.ts'

/** Options of {@link setSession}. */
export interface SessionOptions extends RefetchOptions {
  /** Base path of the routes. @default '/auth' */
  basePath?: string | undefined
}

/** The session in components. Each property is reactive in templates, `$derived` and `$effect`. */
export interface ReactiveSession<S extends DefaultSession = Session> {
  /** `null`: unauthenticated, or loading. */
  readonly data: S | null
  readonly status: SessionValue['status']
  /** Whether an update is pending; `data` is still the previous session. */
  readonly isUpdating: boolean
  /** Whether the last read failed; `data` is the last known session. */
  readonly isUncertain: boolean
  /** Updates the session with this data; without data, reads it again. */
  readonly update: UpdateSession<S>
  /** A store with the same values, for the `$` syntax. */
  readonly store: Readable<SessionValue<S>>
}

const CONTEXT = Symbol('lib-auth')

function reactiveSession({ state, subscribe, update }: SessionStore): ReactiveSession {
  const track = createSubscriber(subscribe)
  const value = () => sessionValue(state(), update)
  const tracked = () => {
    track()
    return value()
  }
  return {
    get data() {
      return tracked().data
    },
    get status() {
      return tracked().status
    },
    get isUpdating() {
      return tracked().isUpdating
    },
    get isUncertain() {
      return tracked().isUncertain
    },
    update,
    store: {
      subscribe(run) {
        run(value())
        return subscribe(() => run(value()))
      },
    },
  }
}

/**
 * Provides the session to a component and those below it. Call it in the script of the root layout.
 *
 * @param rendered - returns the session that the server has read; `undefined` sends a request
 * @example
 * ```ts
 * // the script of src/routes/+layout.svelte
 * import { setSession } from 'lib-auth/svelte'
 * import type { Session } from 'lib-auth/svelte'
 *
 * export function init(props: { data: { session: Session | null } }) {
 *   setSession(() => props.data.session)
 * }
 * ```
 */
export function setSession<S extends DefaultSession = Session>(
  rendered: () => S | null | undefined,
  options?: SessionOptions,
): ReactiveSession<S>
export function setSession(
  rendered: () => Session | null | undefined,
  options: SessionOptions = {},
): ReactiveSession {
  shared.basePath = options.basePath ?? '/auth'
  const store = createStore(pageSource, rendered())
  // `onMount` runs only in a browser.
  onMount(() => {
    const unsubscribe = toStore(rendered).subscribe((session) => store.accept(session))
    const end = follow(store, options)
    return () => {
      unsubscribe()
      end()
    }
  })
  return setContext(CONTEXT, reactiveSession(store))
}

/**
 * Returns the session in a component below {@link setSession}. Do not destructure it: its getters are reactive.
 *
 * @throws Error if no component above has called {@link setSession}
 */
export function useSession(): ReactiveSession
/** Returns the session with the type of `auth`: `useSession<typeof auth>()`. Parsed from JSON: a `Date` is a string. */
export function useSession<Source extends TellsSession>(): ReactiveSession<SessionOf<Source>>
export function useSession(): ReactiveSession {
  const session = getContext<ReactiveSession | undefined>(CONTEXT)
  if (!session)
    throw new Error('useSession needs setSession(() => data.session) in a component above it.')
  return session
}
