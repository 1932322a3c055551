/** What an application shows in the browser. */
import { createClient } from 'lib-auth/client'
import {
  getProviders,
  getSession,
  SessionProvider,
  signIn,
  signOut,
  useSession,
} from 'lib-auth/react'
import type {
  ClientSafeProvider,
  Session,
  SessionContextValue,
  SignInResponse,
  UpdateSession,
} from 'lib-auth/react'
import type { ReactNode } from 'react'
import type { AppSession, auth } from './auth.js'
import { is } from './same.js'

export function Greeting(): ReactNode {
  const { data, status, update } = useSession<typeof auth>()
  is<AppSession | null>()(data)
  is<UpdateSession<AppSession>>()(update)
  if (status !== 'authenticated') return status
  is<AppSession>()(data)
  is<'admin' | 'guest'>()(data.role)
  return data.user.name
}

export function Secret(): ReactNode {
  const session = useSession<typeof auth>({ required: true })
  is<SessionContextValue<true, AppSession>>()(session)
  const plain = useSession({ required: true, onUnauthenticated() {} })
  is<SessionContextValue<true>>()(plain)
  is<Session | null>()(useSession().data)
  return session.data?.role
}

export function Page({ session }: { readonly session: AppSession | null }): ReactNode {
  return (
    <SessionProvider session={session} refetchInterval={60}>
      <Greeting />
      <form action={(form) => signIn('credentials', form)} />
      <button type="button" onClick={() => void signOut({ redirectTo: '/' })} />
    </SessionProvider>
  )
}

export async function functions(): Promise<void> {
  is<SignInResponse>()(await signIn('credentials', { redirect: false, user: 'Ada' }))
  is<Session | null>()(await getSession())
  is<Record<string, ClientSafeProvider> | null>()(await getProviders())
  is<Session | null>()(await createClient({ basePath: '/api/auth' }).getSession())
}
