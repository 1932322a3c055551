import { readCsrfToken, signIn, signOut, update } from './forms.ts'
import { ClientFetchError, createRoutes } from './routes.ts'
import type { Routes } from './routes.ts'
import type { Client, ClientOptions } from './types.ts'

/** Creates a client. Outside a browser, its methods throw a {@link ClientFetchError} without `baseUrl` or `fetch`. */
export function createClient(options: ClientOptions = {}): Client {
  const created = createRoutes(options)
  // Thrown by the first call, because modules that create a client are also loaded on servers.
  const routes = (): Routes => {
    if (options.baseUrl || options.fetch || globalThis.location) return created
    throw new ClientFetchError(
      "Outside a browser, set baseUrl: createClient({ baseUrl: 'https://your.site' }).",
    )
  }
  return {
    getSession: async (cookie) =>
      routes().readJson('session', cookie ? { headers: { cookie } } : undefined),
    getCsrfToken: async () => readCsrfToken(routes()),
    getProviders: async () => routes().readJson('providers'),
    signIn: async (...args) => (await signIn(routes(), ...args)).result,
    signOut: async (...args) => (await signOut(routes(), ...args)).result,
    update: async (data) => update(routes(), data),
  }
}
