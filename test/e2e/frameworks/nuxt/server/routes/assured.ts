import { SessionRequired, StepUpRequired } from 'lib-auth/errors'

export default defineEventHandler(async (event) => {
  try {
    return await requireAuth(event, { maxAge: 900 })
  } catch (error) {
    const isKnown = error instanceof StepUpRequired || error instanceof SessionRequired
    if (!isKnown || 'thrown' in getQuery(event)) throw error
    setResponseStatus(event, error.status)
    setResponseHeaders(event, error.headers)
    return { error: error.type, url: error.url }
  }
})
