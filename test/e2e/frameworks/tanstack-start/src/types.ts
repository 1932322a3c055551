/** Compiled, never run: the types of an application with a session of its own. */
import { createMiddleware, createServerFn, createStart } from '@tanstack/react-start'
import { createFileRoute } from '@tanstack/react-router'
import { useSession } from 'lib-auth/react'
import Lib from 'lib-auth/tanstack-start'
import type { Session, SessionOf } from 'lib-auth/tanstack-start'

interface AppSession extends Session {
  role: 'admin' | 'user'
}

const lib = Lib({
  providers: [],
  callbacks: {
    session: ({ session }): AppSession => ({ ...session, role: 'user' }),
    authorized: ({ auth, request }) => auth?.role === 'admin' || request.url === '/',
  },
})

export const startInstance = createStart(() => ({
  requestMiddleware: [createMiddleware().server(lib.middleware)],
}))

const signedIn = createMiddleware().server(lib.protect())
const isAdmin = createMiddleware({ type: 'function' }).server(
  lib.protect({ allow: ({ role }) => role === 'admin' }),
)

export const Page = createFileRoute('/me')({
  server: { middleware: [signedIn], handlers: { ANY: lib.handler } },
})

export const readRole = createServerFn()
  .middleware([signedIn, isAdmin])
  .validator((id: number) => id)
  .handler(async ({ data }) => {
    const session: SessionOf<typeof lib.auth> | null = await lib.auth()
    // @ts-expect-error Unauthenticated users have no session.
    const role: 'admin' | 'user' = session.role
    // @ts-expect-error A number.
    const id: string = data
    return { role, id }
  })

// @ts-expect-error A role that does not exist.
lib.protect({ allow: ({ role }) => role === 'owner' })

export async function change(form: FormData): Promise<string> {
  const session: AppSession | null = await lib.update({ theme: 'dark' })
  // @ts-expect-error The request is not a parameter.
  await lib.signOut(new Request('http://localhost'), {})
  return session ? lib.signOut({ redirectTo: '/' }) : lib.signIn('credentials', form)
}

export function Role() {
  const { data } = useSession<typeof lib.auth>()
  const role: 'admin' | 'user' | undefined = data?.role
  // @ts-expect-error A member that does not exist.
  return [role, data?.rule]
}

// @ts-expect-error An option that does not exist.
Lib({ providers: [], sesion: {} })
