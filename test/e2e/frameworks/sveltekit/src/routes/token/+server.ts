import { json } from '@sveltejs/kit'
import type { RequestHandler } from '@sveltejs/kit'
import { lib } from '../../auth.server.ts'
import { respondLate } from '../../respond-late.ts'

export const GET: RequestHandler = async (event) => {
  const read = () => lib.getAccessToken(event, 'op').catch(({ type, code }) => ({ type, code }))
  return event.url.searchParams.has('late') ? respondLate(read) : json(await read())
}
