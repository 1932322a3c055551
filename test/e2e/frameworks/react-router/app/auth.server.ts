import Lib from 'lib-auth/react-router'
import type { AuthRequirement } from 'lib-auth'
import type { LibConfig } from 'lib-auth/react-router'
import type { Session } from 'lib-auth/types'

interface Site {
  readonly config: LibConfig
  readonly parsers?: boolean
  readonly rules?: {
    readonly allow?: (session: Session) => boolean
    readonly requires?: AuthRequirement
  }
}

/** Each test loads the built application again, with the site in this global. */
export const {
  config,
  parsers,
  rules = {},
} = (globalThis as never)[Symbol.for('lib-auth.site')] as Site

export const lib = Lib(config)
export const { middleware, handler, auth, protect, signIn, signOut, update } = lib
