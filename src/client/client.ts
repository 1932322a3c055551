import { ClientFetchError } from './fetch-error.ts'
import { signIn, signOut, update } from './forms.ts'
import { createRoutes } from './routes.ts'
import type { Routes } from './routes.ts'
import type { Client, ClientOptions } from './types.ts'

/** Deferred to the first call, because modules that create a client are also loaded on servers. */
function routesOf(options: ClientOptions): () => Routes {
  const routes = createRoutes(options)
  return () => {
    if (options.baseUrl || options.fetch || globalThis.location) return routes
    throw new ClientFetchError(
      "Outside a browser, set baseUrl: createClient({ baseUrl: 'https://your.site' }).",
    )
  }
}

/** Creates a client. Outside a browser, its methods throw a {@link ClientFetchError} without `baseUrl` or `fetch`. */
export function createClient(options: ClientOptions = {}): Client {
  const routes = routesOf(options)
  return {
    async getSession(cookie) {
      return routes().read('session', cookie ? { headers: { cookie } } : undefined)
    },
    async getCsrfToken() {
      const { csrfToken } = await routes().read<{ csrfToken: string }>('csrf')
      return csrfToken
    },
    async getProviders() {
      return routes().read('providers')
    },
    async signIn(...call) {
      const { result } = await signIn(routes(), ...call)
      return result
    },
    async signOut(...call) {
      const { result } = await signOut(routes(), ...call)
      return result
    },
    async update(data) {
      return update(routes(), data)
    },
  }
}
