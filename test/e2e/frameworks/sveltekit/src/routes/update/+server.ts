import { json } from '@sveltejs/kit'
import type { RequestHandler } from '@sveltejs/kit'
import { AuthError } from 'lib-auth/sveltekit'
import { update } from '../../auth.server.ts'

export const fallback: RequestHandler = async (event) => {
  try {
    return json(await update(event, { user: { name: 'x' } }))
  } catch (error) {
    if (error instanceof AuthError) return json(error.type, { status: 403 })
    throw error
  }
}
