import { json } from '@sveltejs/kit'
import type { RequestHandler } from '@sveltejs/kit'
import { SessionRequired, StepUpRequired } from 'lib-auth/errors'
import { lib } from '../../auth.server.ts'

export const GET: RequestHandler = async (event) => {
  try {
    return json(await lib.requireAuth(event, { maxAge: 900 }))
  } catch (error) {
    const isKnown = error instanceof StepUpRequired || error instanceof SessionRequired
    if (!isKnown || event.url.searchParams.has('thrown')) throw error
    const { status, headers, type, url } = error
    return json({ error: type, url }, { status, headers })
  }
}
