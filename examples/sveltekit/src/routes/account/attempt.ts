import { redirect } from '@sveltejs/kit'
import { AuthError, SessionRequired, StepUpRequired } from 'lib-auth/errors'

/** Shows one of the texts of the page. */
export function show(what: { notice: string } | { error: string }): never {
  redirect(303, `/account?${new URLSearchParams(what)}`)
}

/** If the sign-in is too old, or lacks the second step, the user confirms who they are, and comes back. */
async function orConfirm<T>(work: () => Promise<T>, returnTo = '/account?notice=confirmed') {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SessionRequired) redirect(303, error.url)
    if (!(error instanceof StepUpRequired)) throw error
    const page = new URL(error.url)
    page.searchParams.set('callbackUrl', returnTo)
    redirect(303, page.href)
  }
}

/** For a button: an error is shown at the top of the page. */
export async function attempt<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await orConfirm(work)
  } catch (error) {
    if (error instanceof AuthError) show({ error: error.type })
    throw error
  }
}

/** For a form with fields: returns the code of an error, which is shown at the form. */
export async function submit<T>(
  work: () => Promise<T>,
  returnTo?: string,
): Promise<{ value: T; problem?: undefined } | { value?: undefined; problem: string }> {
  try {
    return { value: await orConfirm(work, returnTo) }
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    return { problem: 'code' in error && typeof error.code === 'string' ? error.code : error.type }
  }
}
