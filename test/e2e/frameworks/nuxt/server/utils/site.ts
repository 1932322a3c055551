import { CredentialsSignin, MissingCSRF } from 'lib-auth/errors'
import type { AuthRequirement } from 'lib-auth'
import type { LibConfig, Session } from 'lib-auth/nuxt'
import type { H3Event } from 'h3'

interface Site {
  readonly config: LibConfig
  readonly parsers?: boolean
  readonly rules?: {
    readonly allow?: (session: Session) => boolean
    readonly requires?: AuthRequirement
  }
}

/** What the test has set before it loaded the server. */
export const site: Site = Reflect.get(globalThis, Symbol.for('lib-auth.site'))

/** Answers to the errors of a call. */
export async function call(event: H3Event, work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof CredentialsSignin) {
      setResponseStatus(event, 401)
      return error.code
    }
    if (!(error instanceof MissingCSRF)) throw error
    setResponseStatus(event, 403)
    return ''
  }
}

/** h3 sends `null` as an empty response. */
export function json(event: H3Event, value: unknown): string {
  setResponseHeader(event, 'content-type', 'application/json')
  return JSON.stringify(value)
}
