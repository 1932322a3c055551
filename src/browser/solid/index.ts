/** The session for Solid: context, accessor and functions. */
import {
  createComponent,
  createContext,
  createEffect,
  createSignal,
  onCleanup,
  onMount,
  useContext,
} from 'solid-js'
import type { Accessor, JSX } from 'solid-js'
import { follow } from '../client/refetch.ts'
import type { RefetchOptions } from '../client/refetch.ts'
import { pageSource } from '../client/page-functions.ts'
import { shared } from '../client/page-state.ts'
import { createStore } from '../client/store.ts'
import { sessionValue } from '../client/session-value.ts'
import type { SessionValue } from '../client/session-value.ts'
import type { SessionOf, TellsSession } from '../../core/session/session-of.ts'
import type { DefaultSession, Session } from '../../core/types.ts'

export * from '../client/exports.ts'

/** Properties of {@link SessionProvider}. */
export interface SessionProviderProps<S extends DefaultSession = Session> extends RefetchOptions {
  children?: JSX.Element
  /** The session that the server has read, which saves a request. `null`: unauthenticated. */
  session?: S | null | undefined
  /** Base path of the routes. @default '/auth' */
  basePath?: string | undefined
}

const SessionContext = createContext<Accessor<SessionValue>>()

/**
 * Provides the session to the components below it.
 *
 * @example
 * ```jsx
 * import { SessionProvider } from 'lib-auth/solid'
 *
 * export default function App(props) {
 *   return <SessionProvider session={props.session}>{props.children}</SessionProvider>
 * }
 * ```
 */
export function SessionProvider(props: SessionProviderProps<DefaultSession>): JSX.Element {
  shared.basePath = props.basePath ?? '/auth'
  const store = createStore(pageSource, props.session)
  const [state, setState] = createSignal(store.state())
  onCleanup(store.subscribe(() => setState(store.state())))
  // Effects and `onMount` do not run on a server.
  createEffect(() => store.accept(props.session))
  onMount(() => onCleanup(follow(store, props)))
  return createComponent(SessionContext.Provider, {
    value: () => sessionValue(state(), store.update),
    get children() {
      return props.children
    },
  })
}

/**
 * Returns the session in a component below {@link SessionProvider}.
 *
 * @throws Error if there is no {@link SessionProvider} above
 * @example
 * ```jsx
 * import { useSession } from 'lib-auth/solid'
 *
 * export function Greeting() {
 *   const session = useSession()
 *   return <p>{session().data?.user?.name ?? 'Signed out'}</p>
 * }
 * ```
 */
export function useSession(): Accessor<SessionValue>
/** Returns the session with the type of `auth`: `useSession<typeof lib.auth>()`. Parsed from JSON: a `Date` is a string. */
export function useSession<Source extends TellsSession>(): Accessor<SessionValue<SessionOf<Source>>>
export function useSession(): Accessor<SessionValue> {
  const value = useContext(SessionContext)
  if (!value) throw new Error('useSession needs a <SessionProvider> above it.')
  return value
}
