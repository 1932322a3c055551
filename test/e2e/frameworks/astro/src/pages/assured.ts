import type { APIRoute } from 'astro'
import { SessionRequired, StepUpRequired } from 'lib-auth/errors'
import { lib } from '../auth'

export const GET: APIRoute = async (context) => {
  try {
    return Response.json(await lib.requireAuth(context, { maxAge: 900 }))
  } catch (error) {
    const isKnown = error instanceof StepUpRequired || error instanceof SessionRequired
    if (!isKnown || context.url.searchParams.has('thrown')) throw error
    const { status, headers, type, url } = error
    return Response.json({ error: type, url }, { status, headers })
  }
}
