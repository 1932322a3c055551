/** Reads and changes the session of a browser, without a framework. */
import { ClientFetchError } from './fetch-error.ts'
import { signIn, signOut, update } from './forms.ts'
import { createRoutes } from './routes.ts'
import type { Routes } from './routes.ts'
import type { Client, ClientOptions } from './types.ts'

/** Gives the routes. Only when they are asked: modules are loaded on servers, too, and their clients not used there. */
function routesOf(options: ClientOptions): () => Routes {
  const routes = createRoutes(options)
  return () => {
    if (options.baseUrl || options.fetch || globalThis.location) return routes
    throw new ClientFetchError(
      "Outside a browser, set baseUrl: createClient({ baseUrl: 'https://your.site' }).",
    )
  }
}

/** Makes a client. */
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
