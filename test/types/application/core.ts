/** The library without a framework. */
import { Auth, getSession, setEnvDefaults } from 'lib-auth'
import type { AuthConfig, JWT, Session, User } from 'lib-auth'
import type { Adapter } from 'lib-auth/adapters'
import MemoryAdapter from 'lib-auth/adapters/memory'
import { AuthError } from 'lib-auth/errors'
import { decode, encode, getToken } from 'lib-auth/jwt'
import type { OIDCConfig } from 'lib-auth/providers'
import type { Account, Profile } from 'lib-auth/types'
import { is } from './same.js'

export const adapter: Adapter = MemoryAdapter()
export const provider: OIDCConfig = { id: 'own', name: 'Own', type: 'oidc' }
export const config: AuthConfig = {
  adapter,
  providers: [provider],
  callbacks: {
    signIn({ user, account, profile }) {
      is<User>()(user)
      is<Account | null>()(account)
      is<Profile | undefined>()(profile)
      return true
    },
  },
}

export async function answer(request: Request): Promise<Response> {
  setEnvDefaults({}, config)
  is<Session | null>()((await getSession(request.headers, config)).session)
  is<JWT | null>()(await getToken({ req: request, secret: 'secret' }))
  const token = await encode({ token: { sub: '1' }, secret: 'secret', salt: 'salt' })
  is<JWT | null>()(await decode({ token, secret: 'secret', salt: 'salt' }))
  try {
    return await Auth(request, config)
  } catch (error) {
    if (error instanceof AuthError) return new Response(error.type)
    throw error
  }
}
