import { SessionRequired, StepUpRequired } from 'lib-auth/errors'
import type { Route } from './+types/assured'
import { lib } from '../auth.server'

export const loader = async (args: Route.LoaderArgs) => {
  try {
    return Response.json(await lib.requireAuth(args, { maxAge: 900 }))
  } catch (error) {
    const isKnown = error instanceof StepUpRequired || error instanceof SessionRequired
    if (!isKnown || new URL(args.request.url).searchParams.has('thrown')) throw error
    const { status, headers, type, url } = error
    return Response.json({ error: type, url }, { status, headers })
  }
}
