import type { APIRoute } from 'astro'
import { lib } from '../auth'

export const GET: APIRoute = async (context) => Response.json(await lib.sessions.list(context))

export const POST: APIRoute = async (context) => {
  const sid = context.url.searchParams.get('sid')
  const { revoke, revokeOthers } = lib.sessions
  return Response.json(sid === null ? await revokeOthers(context) : await revoke(context, sid))
}
