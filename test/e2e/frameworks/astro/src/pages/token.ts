import type { APIRoute } from 'astro'
import { lib } from '../auth'
import { respondLate } from '../respond-late'

export const GET: APIRoute = async (context) => {
  const read = () => lib.getAccessToken(context, 'op').catch(({ type, code }) => ({ type, code }))
  return context.url.searchParams.has('late') ? respondLate(read) : Response.json(await read())
}
