/** Compiled, never run: the types of an application with a session of its own. */
import Lib from 'lib-auth/react-router'
import type { Session, SessionOf } from 'lib-auth/react-router'
import { useSession } from 'lib-auth/react'
import type { Route } from './+types/root'

interface AppSession extends Session {
  role: 'admin' | 'user'
}

const lib = Lib({
  providers: [],
  callbacks: {
    session: ({ session }): AppSession => ({ ...session, role: 'user' }),
    authorized: ({ auth, request }) => auth?.role === 'admin' || request.url?.pathname === '/',
  },
})

export const middleware: Route.MiddlewareFunction[] = [
  lib.middleware,
  lib.handler,
  lib.protect(),
  lib.protect({ allow: ({ role }) => role === 'admin' }),
  // @ts-expect-error A role that does not exist.
  lib.protect({ allow: ({ role }) => role === 'owner' }),
]

export async function loader({ context }: Route.LoaderArgs) {
  const session: SessionOf<typeof lib.auth> | null = await lib.auth(context)
  // @ts-expect-error Unauthenticated users have no session.
  const role: 'admin' | 'user' = session.role
  return { session, role }
}

export async function action(args: Route.ActionArgs): Promise<Response> {
  const session: AppSession | null = await lib.update(args, { theme: 'dark' })
  // @ts-expect-error The context is not enough.
  await lib.signOut(args.context)
  return session
    ? lib.signOut(args, { redirectTo: '/' })
    : lib.signIn(args, 'credentials', await args.request.formData())
}

export function Role() {
  const { data } = useSession<typeof lib.auth>()
  const role: 'admin' | 'user' | undefined = data?.role
  // @ts-expect-error A member that does not exist.
  return [role, data?.rule]
}

// @ts-expect-error An option that does not exist.
Lib({ providers: [], sesion: {} })
