import Lib from 'lib-auth/react-router'
import type { LibConfig } from 'lib-auth/react-router'
import type { Session } from 'lib-auth/types'

interface Site {
  readonly config: LibConfig
  readonly parsers?: boolean
  readonly allow?: (session: Session) => boolean
}

/** Each test loads the built application again, with the site in this global. */
export const { config, parsers, allow } = (globalThis as never)[Symbol.for('lib-auth.site')] as Site

export const lib = Lib(config)
export const { middleware, handler, auth, protect, signIn, signOut, update } = lib
