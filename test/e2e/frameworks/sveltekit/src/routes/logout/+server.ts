import { text } from '@sveltejs/kit'
import type { RequestHandler } from '@sveltejs/kit'
import { AuthError } from 'lib-auth/sveltekit'
import { signOut } from '../../auth.server.ts'

export const fallback: RequestHandler = async (event) => {
  try {
    return text(await signOut(event, { federated: event.url.searchParams.has('federated') }))
  } catch (error) {
    if (error instanceof AuthError) return text(error.type, { status: 403 })
    throw error
  }
}
