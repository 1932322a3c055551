import { json } from '@sveltejs/kit'
import type { RequestHandler } from '@sveltejs/kit'
import { auth } from '../../auth.server.ts'

export const GET: RequestHandler = async (event) => {
  const [session] = await Promise.all([event.locals.auth(), auth(event)])
  return json(session)
}
