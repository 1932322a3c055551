import type { Route } from './+types/sessions'
import { lib } from '../auth.server'

export const loader = async (args: Route.LoaderArgs) => Response.json(await lib.sessions.list(args))

export const action = async (args: Route.ActionArgs) => {
  const sid = new URL(args.request.url).searchParams.get('sid')
  const { revoke, revokeOthers } = lib.sessions
  return Response.json(sid === null ? await revokeOthers(args) : await revoke(args, sid))
}
