/** Compiled by svelte-check, never run. */
import Lib from 'lib-auth/sveltekit'
import type { Session } from 'lib-auth/sveltekit'
import { useSession } from 'lib-auth/svelte'
import type { Actions, PageServerLoadEvent } from './routes/guarded/$types'

interface AppSession extends Session {
  role: 'admin' | 'user'
}

const { auth, protect, signIn, signOut } = Lib({
  providers: [],
  callbacks: { session: ({ session }): AppSession => ({ ...session, role: 'user' }) },
})

export const actions: Actions = { signIn, signOut }

export async function roles(event: PageServerLoadEvent): Promise<AppSession['role']> {
  const session: Session | null = await event.locals.auth()
  // @ts-expect-error locals have the type of Session, which this application has not augmented
  session?.role
  // @ts-expect-error not a member of the locals
  await event.locals.signOut()
  // @ts-expect-error a role that does not exist
  await protect(event, { allow: ({ role }) => role === 'owner' })
  return (await auth(event))?.role ?? (await protect(event)).role
}

export const role = (): 'admin' | 'user' | undefined => useSession<typeof auth>().data?.role
