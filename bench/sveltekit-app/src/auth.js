import { SvelteKitAuth } from '@auth/sveltekit'
import Lib from 'lib-auth/sveltekit'

export const NAME = 'Ada Lovelace'

function configOf() {
  return {
    secret: 'thirty-two bytes for a benchmark, or more',
    trustHost: true,
    logger: { error() {}, warn() {} },
    providers: [
      {
        id: 'credentials',
        name: 'Credentials',
        type: 'credentials',
        credentials: { username: {}, password: { type: 'password' } },
        authorize: ({ password }) => (password === 'right' ? { id: '1', name: NAME } : null),
      },
    ],
  }
}

export const libAuth = Lib({ ...configOf(), basePath: '/lib-auth/auth' })
export const authSvelteKit = SvelteKitAuth(configOf())

/** The body of each route. */
export const nameOf = (session) => ({ name: session?.user?.name ?? null })
