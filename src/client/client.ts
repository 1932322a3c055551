/** Reads and changes the session of a browser, without a framework. */
import { signIn, signOut, update } from './forms.ts'
import { createRoutes } from './routes.ts'
import type { Client, ClientOptions } from './types.ts'

/** Makes a client. */
export function createClient(options: ClientOptions = {}): Client {
  const routes = createRoutes(options)
  return {
    getSession: (cookie) => routes.read('session', cookie ? { headers: { cookie } } : undefined),
    async getCsrfToken() {
      const { csrfToken } = await routes.read<{ csrfToken: string }>('csrf')
      return csrfToken
    },
    getProviders: () => routes.read('providers'),
    async signIn(...call) {
      const { result } = await signIn(routes, ...call)
      return result
    },
    async signOut(...call) {
      const { result } = await signOut(routes, ...call)
      return result
    },
    update: (data) => update(routes, data),
  }
}
