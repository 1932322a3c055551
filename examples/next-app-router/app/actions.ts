'use server'
import { AuthError, CredentialsSignin, SignInError } from 'lib-auth/next'
import { redirect } from 'next/navigation'
import { requestScopes, signIn, signOut, update } from '../auth'

// Next.js redirects by throwing, so every error that is not an AuthError is rethrown.

/** Signs in with the provider; redirects to the sign-in page with the error if that fails. */
export async function signInWithProvider() {
  try {
    await signIn('demo', { redirectTo: '/' })
  } catch (error) {
    if (error instanceof AuthError) redirect(`/api/auth/signin?error=${error.type}`)
    throw error
  }
}

/** Sends a magic link; redirects to the sign-in page with the error if that fails. */
export async function signInWithLink(form: FormData) {
  try {
    await signIn('nodemailer', form)
  } catch (error) {
    if (error instanceof AuthError) redirect(`/api/auth/signin?error=${error.type}`)
    throw error
  }
}

/** Signs in with a password; returns the code or the type of the error that the form shows if that fails. */
export async function signInWithPassword(_previous: string | null, form: FormData) {
  try {
    return await signIn('password', form)
  } catch (error) {
    if (error instanceof CredentialsSignin) return error.code
    if (error instanceof SignInError) return error.type
    throw error
  }
}

/** Redirects to the sign-in page with all providers. */
export async function openSignInPage() {
  await signIn()
}

/** Changes the session; the page is rendered again with it. */
export async function rename(form: FormData) {
  const name = form.get('name')
  if (typeof name !== 'string') return
  const session = await update({ user: { name } })
  // It may have expired since the page was opened.
  if (!session) await signIn()
}

/** Signs in with the provider, for its API. */
export async function connectProvider() {
  await signIn('demo', { redirectTo: '/api-of-provider' })
}

/** Asks the user for another scope. */
export async function requestCalendar() {
  await requestScopes('demo', ['calendar'], { redirectTo: '/api-of-provider' })
}

/** Signs out. */
export async function signOutToHome() {
  await signOut({ redirectTo: '/' })
}
