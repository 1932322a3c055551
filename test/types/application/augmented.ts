/** An application that says once what its sessions have, as was done before types said it. */
import type { DefaultSession } from 'lib-auth'
import Lib from 'lib-auth/next'
import type { NextAuthConfig, NextAuthResult, Session as Extended, SessionOf } from 'lib-auth/next'
import { useSession } from 'lib-auth/react'
import { is } from './same.js'

declare module 'lib-auth' {
  interface Session {
    user: { team: string } & DefaultSession['user']
  }
}
declare module 'lib-auth/jwt' {
  interface JWT {
    team: string
  }
}

export const plain = Lib({ callbacks: { authorized: ({ auth }) => auth?.user.team === 'one' } })
export const result: NextAuthResult = Lib({
  callbacks: {
    session({ session, token }) {
      session.user.team = token.team
      return session
    },
  },
})
// Who says what every session has, and returns less where nobody looks, is believed.
export const annotated: NextAuthConfig = {
  callbacks: { session: ({ session }) => ({ expires: session.expires }) },
}
export const { auth } = Lib({
  callbacks: {
    session: ({ session }) => ({ expires: session.expires, user: { name: 'Ada' } }),
    authorized: ({ auth: session }) => session?.user.name === 'Ada',
  },
})
type Told = SessionOf<typeof auth>

export async function teams(): Promise<(string | undefined)[]> {
  is<Extended | null>()(await plain.auth())
  is<Extended | null>()(useSession().data)
  is<Extended | null>()(await Lib(annotated).auth())
  is<{ expires: string; user: { name: string } } | null>()(await auth())
  is<Told | null>()(useSession<typeof auth>().data)
  return [(await plain.auth())?.user.team, (await result.auth())?.user.team]
}
