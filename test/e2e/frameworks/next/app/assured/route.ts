import { SessionRequired, StepUpRequired } from 'lib-auth/errors'
import { requireAuth } from '../../auth'

export async function GET(request: Request): Promise<Response> {
  try {
    return Response.json(await requireAuth({ maxAge: 900 }))
  } catch (error) {
    const isKnown = error instanceof StepUpRequired || error instanceof SessionRequired
    if (!isKnown || new URL(request.url).searchParams.has('thrown')) throw error
    const { status, headers, type, url } = error
    return Response.json({ error: type, url }, { status, headers })
  }
}
