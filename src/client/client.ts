import { ClientFetchError } from './fetch-error.ts'
import { readCsrfToken, signIn, signOut, update } from './forms.ts'
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
      return routes().readJson('session', cookie ? { headers: { cookie } } : undefined)
    },
    async getCsrfToken() {
      return readCsrfToken(routes())
    },
    async getProviders() {
      return routes().readJson('providers')
    },
    async signIn(...args) {
      const { result } = await signIn(routes(), ...args)
      return result
    },
    async signOut(...args) {
      const { result } = await signOut(routes(), ...args)
      return result
    },
    async update(data) {
      return update(routes(), data)
    },
  }
}
