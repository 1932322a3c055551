import Lib from 'lib-auth/tanstack-start'
import type { AuthRequirement } from 'lib-auth'
import type { LibConfig } from 'lib-auth/tanstack-start'
import type { Session } from 'lib-auth/types'

interface Site {
  readonly config: LibConfig
  readonly parsers?: boolean
  readonly rules?: {
    readonly allow?: (session: Session) => boolean
    readonly requires?: AuthRequirement
  }
  readonly withoutMiddleware?: boolean
}

/** Each test loads the built application again, with the site in this global. */
export const site = (globalThis as never)[Symbol.for('lib-auth.site')] as Site

export const lib = Lib(site.config)
export const { middleware, handler, auth, protect, signIn, signOut, update } = lib
