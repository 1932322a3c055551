import { json } from '@sveltejs/kit'
import type { RequestHandler } from '@sveltejs/kit'
import { options, protect } from '../../../auth.server.ts'

export const GET: RequestHandler = async (event) => {
  await protect(event, options)
  return json({ data: 1 })
}
