import { text } from '@sveltejs/kit'
import type { RequestHandler } from '@sveltejs/kit'
import { AuthError, CredentialsSignin } from 'lib-auth/sveltekit'
import { signIn } from '../../auth.server.ts'

export const fallback: RequestHandler = async (event) => {
  const isForm = event.request.method === 'POST'
  const fields = isForm ? Object.fromEntries(await event.request.formData()) : {}
  try {
    return text(await signIn(event, 'credentials', { ...fields, redirectTo: '/page' }))
  } catch (error) {
    if (error instanceof CredentialsSignin) return text(error.code, { status: 401 })
    if (error instanceof AuthError) return text(error.type, { status: 403 })
    throw error
  }
}
