import { json } from '@sveltejs/kit'
import type { RequestHandler } from '@sveltejs/kit'
import { lib } from '../../auth.server.ts'

export const GET: RequestHandler = async (event) => json(await lib.sessions.list(event))

export const POST: RequestHandler = async (event) => {
  const sid = event.url.searchParams.get('sid')
  const { revoke, revokeOthers } = lib.sessions
  return json(sid === null ? await revokeOthers(event) : await revoke(event, sid))
}
