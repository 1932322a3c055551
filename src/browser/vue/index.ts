/** The session for Vue 3.4 and later: plugin, composable and functions. */
import { computed, inject, shallowRef } from 'vue'
import type { App, ComputedRef, InjectionKey } from 'vue'
import { follow } from '../client/refetch.ts'
import type { RefetchOptions } from '../client/refetch.ts'
import { pageSource } from '../client/page-functions.ts'
import { shared } from '../client/page-state.ts'
import { sessionValue } from '../client/session-value.ts'
import type { SessionValue, UpdateSession } from '../client/session-value.ts'
import { createStore } from '../client/store.ts'
import type { SessionOf, TellsSession } from '../../core/session/session-of.ts'
import type { DefaultSession, Session } from '../../core/types.ts'

export * from '../client/exports.ts'

/** Options of {@link createAuth}. */
export interface AuthOptions<S extends DefaultSession = Session> extends RefetchOptions {
  /** The session that the server has read, which saves a request. `null`: unauthenticated. */
  session?: S | null | undefined
  /** Base path of the routes. @default '/auth' */
  basePath?: string | undefined
}

/** The plugin of an application. */
export interface AuthPlugin {
  readonly install: (app: App) => void
}

/** Result of {@link useSession}; each property follows the session. */
export interface SessionRefs<S extends DefaultSession = Session> {
  /** `null`: unauthenticated, or loading. */
  readonly data: ComputedRef<S | null>
  readonly status: ComputedRef<'loading' | 'authenticated' | 'unauthenticated'>
  /** Whether an update is pending; `data` is still the previous session. */
  readonly isUpdating: ComputedRef<boolean>
  /** Whether the last read failed; `data` is the last known session. */
  readonly isUncertain: ComputedRef<boolean>
  /** Updates the session with this data; without data, reads it again. */
  readonly update: UpdateSession<S>
}

const KEY: InjectionKey<SessionRefs> = Symbol('lib-auth')

/**
 * Creates the plugin that provides the session to an application. On a server, create one for each request.
 *
 * @example
 * ```ts
 * import { createAuth } from 'lib-auth/vue'
 * import { createApp, h } from 'vue'
 *
 * createApp({ render: () => h('main') }).use(createAuth()).mount('#app')
 * ```
 */
export function createAuth(options: AuthOptions<DefaultSession> = {}): AuthPlugin {
  return {
    install(app) {
      shared.basePath = options.basePath ?? '/auth'
      const store = createStore(pageSource, options.session)
      const state = shallowRef(store.state())
      const value = computed((): SessionValue => sessionValue(state.value, store.update))
      app.provide(KEY, {
        data: computed(() => value.value.data),
        status: computed(() => value.value.status),
        isUpdating: computed(() => value.value.isUpdating),
        isUncertain: computed(() => value.value.isUncertain),
        update: store.update,
      })
      // On a server, the session of a request does not change.
      if (!globalThis.document) return
      store.subscribe(() => {
        state.value = store.state()
      })
      const stop = follow(store, options)
      const unmount = app.unmount.bind(app)
      // `app.onUnmount` exists since Vue 3.5.
      app.unmount = () => {
        stop()
        unmount()
      }
    },
  }
}

/**
 * Returns the session in a component, or where `inject` of Vue works: in navigation guards, and in plugins and route
 * middleware of Nuxt.
 *
 * @throws Error if the application does not use {@link createAuth}
 * @example
 * ```ts
 * import { useSession } from 'lib-auth/vue'
 * import { defineComponent } from 'vue'
 *
 * export const Greeting = defineComponent(() => {
 *   const { data } = useSession()
 *   return () => data.value?.user?.name ?? 'Signed out'
 * })
 * ```
 */
export function useSession(): SessionRefs
/** Returns the session with the type of `auth`: `useSession<typeof auth>()`. Parsed from JSON: a `Date` is a string. */
export function useSession<Source extends TellsSession>(): SessionRefs<SessionOf<Source>>
export function useSession(): SessionRefs {
  const refs = inject(KEY, undefined)
  if (!refs) throw new Error('useSession needs app.use(createAuth()), and was called without it.')
  return refs
}

/** Reads the session; `null` if unauthenticated. @throws ClientFetchError */
export async function getSession(): Promise<Session | null> {
  return pageSource.read()
}
