'use server'
import { LastSignInMethod } from 'lib-auth/errors'
import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { account, factors, passkeys, password, requireAuth, sessions, signOut } from '../../auth'
import { attempt, orConfirm, show, submit } from './attempt'
import type { AddedApp, AddressForm } from './forms'

function textOf(form: FormData, name: string) {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

/** Links an account at the demo provider. Next.js gets `?error=` if that fails. */
export async function link() {
  await attempt(() => account.link('demo', { redirectTo: '/account?notice=linked' }))
}

/** Unlinks an account at a provider, unless the user has no other sign-in method. */
export async function unlink(form: FormData) {
  const provider = textOf(form, 'provider')
  const providerAccountId = textOf(form, 'providerAccountId')
  await attempt(() => account.unlink({ provider, providerAccountId }))
  show('unlinked')
}

/** Renames a passkey. */
export async function renamePasskey(form: FormData) {
  await attempt(() => passkeys.rename(textOf(form, 'id'), textOf(form, 'name')))
  redirect('/account')
}

/** Removes a passkey, unless the user has no other sign-in method. */
export async function removePasskey(id: string) {
  try {
    return (await orConfirm(() => passkeys.remove(id))) ? 'removed' : 'missing'
  } catch (error) {
    if (error instanceof LastSignInMethod) return 'last'
    throw error
  }
}

/** Begins to add an authenticator app, and adds it with a code that it shows. */
export async function addApp({ app }: AddedApp, form: FormData): Promise<AddedApp> {
  if (!app) return { app: await orConfirm(() => factors.enroll()) }
  const confirmation = { id: app.id, code: textOf(form, 'code') }
  const { value, problem } = await submit(() => factors.confirm(confirmation))
  if (!value) return { app, problem }
  // The list of apps is rendered again.
  revalidatePath('/account')
  return { recoveryCodes: value.recoveryCodes }
}

/** Replaces the recovery codes; returns the new ones. */
export async function renewRecoveryCodes(): Promise<readonly string[]> {
  const codes = await attempt(() => factors.renewRecoveryCodes())
  revalidatePath('/account')
  return codes
}

/** Removes an authenticator app; after the last one, sign-ins have one step again. */
export async function removeApp(form: FormData) {
  await attempt(() => factors.remove(textOf(form, 'id')))
  show('app')
}

/** Changes the password, or sets the first one; returns the code of an error. */
export async function changePassword(_previous: string | undefined, form: FormData) {
  const { problem } = await submit(() => password.change(form))
  return problem ?? show('password')
}

/** Removes the password, unless the user has no other sign-in method. */
export async function removePassword() {
  await attempt(() => password.remove())
  show('no-password')
}

/** Sends the links that confirm a new e-mail address. */
export async function changeEmail(_previous: AddressForm, form: FormData): Promise<AddressForm> {
  const to = textOf(form, 'to')
  const returnTo = `/account?${new URLSearchParams({ notice: 'confirmed', to })}`
  const { problem } = await submit(() => account.changeEmail(to), returnTo)
  return problem ? { problem, to } : show('sent')
}

/** Sends the links once more. */
export async function sendLinksAgain(form: FormData) {
  await attempt(() => account.changeEmail(textOf(form, 'to')))
  show('sent-again')
}

/** Cancels the change of the e-mail address. */
export async function cancelEmail() {
  await attempt(() => account.cancelEmail())
  show('cancelled')
}

/** Signs out another device of this user; an id of another user's session ends nothing. */
export async function signOutDevice(form: FormData) {
  const hasEnded = await attempt(() => sessions.revoke(textOf(form, 'sid')))
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

/** Deletes the user with all accounts and sessions. It needs a more recent sign-in than other changes: of the last 30 seconds. */
export async function deleteAccount() {
  const redirectTo = '/account?notice=delete#delete'
  await attempt(async () => {
    await requireAuth({ maxAge: 30, redirectTo })
    await account.remove()
  }, redirectTo)
  redirect('/')
}
