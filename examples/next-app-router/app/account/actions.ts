'use server'
import { AuthError, SessionRequired, StepUpRequired } from 'lib-auth/errors'
import { redirect } from 'next/navigation'
import { requireAuth, sessions, signOut } from '../../auth'
import { adapter } from '../../database'

/** Shows one of the texts of `notice.tsx`. A visitor whose session has ended is asked to sign in. */
function show(notice: string): never {
  redirect(`/account?notice=${notice}`)
}

/** Calls a function of the library; a failure, such as a database that is down, is shown on the page. */
async function attempt<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SessionRequired || error instanceof StepUpRequired) redirect(error.url)
    if (error instanceof AuthError) show('failed')
    throw error
  }
}

/** Signs out another device of this user; an id of another user's session ends nothing. */
export async function signOutDevice(form: FormData) {
  const sid = form.get('sid')
  const hasEnded = await attempt(() => sessions.revoke(typeof sid === 'string' ? sid : ''))
  show(hasEnded === false ? 'ended' : 'device')
}

/** Signs out all devices but this one. */
export async function signOutElsewhere() {
  await attempt(() => sessions.revokeOthers())
  show('elsewhere')
}

/** Signs out here only. */
export async function signOutHere() {
  await attempt(() => signOut({ redirectTo: '/' }))
}

/** Signs out here, and at the provider of the sign-in. */
export async function signOutAtProvider() {
  await attempt(() => signOut({ federated: true, redirectTo: '/' }))
}

/** Deletes the user with all accounts and sessions, after a sign-in within the last 30 seconds. */
export async function deleteAccount() {
  const { session } = await attempt(() =>
    requireAuth({ maxAge: 30, redirectTo: '/account?notice=confirmed#delete' }),
  )
  // First, because sessions in cookies do not end with the user.
  await attempt(() => sessions.revokeOthers())
  await adapter.deleteUser(session.user?.id ?? '')
  await attempt(() => signOut({ redirectTo: '/' }))
}
