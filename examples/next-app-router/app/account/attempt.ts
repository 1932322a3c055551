import { AuthError, LastSignInMethod, SessionRequired, StepUpRequired } from 'lib-auth/errors'
import { redirect } from 'next/navigation'

/** Shows one of the texts of `notice.tsx`. */
export function show(notice: string): never {
  redirect(`/account?notice=${notice}`)
}

/** Calls a function of the library. If the sign-in is too old, or lacks the second step, the user confirms who they are. */
export async function orConfirm<T>(
  work: () => Promise<T>,
  returnTo = '/account?notice=confirmed',
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SessionRequired) redirect(error.url)
    if (!(error instanceof StepUpRequired)) throw error
    const page = new URL(error.url)
    page.searchParams.set('callbackUrl', returnTo)
    redirect(page.href)
  }
}

/** For a button: an error is shown at the top of the page. */
export async function attempt<T>(work: () => Promise<T>, returnTo?: string): Promise<T> {
  try {
    return await orConfirm(work, returnTo)
  } catch (error) {
    if (error instanceof LastSignInMethod) show('last')
    if (error instanceof AuthError) show('failed')
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
