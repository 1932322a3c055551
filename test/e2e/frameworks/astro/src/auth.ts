import Lib from 'lib-auth/astro'
import type { AuthRequirement, Session } from 'lib-auth'
import type { LibConfig, LibResult } from 'lib-auth/astro'

/** What a test passes to the server that it starts. */
interface Site {
  readonly config: LibConfig | (() => LibConfig | Promise<LibConfig>)
  readonly parsers?: boolean
  readonly rules?: {
    readonly allow?: (session: Session) => boolean
    readonly requires?: AuthRequirement
  }
}

const given: Site | undefined = Reflect.get(globalThis, Symbol.for('lib-auth.site'))

// The build prerenders a page without a test.
export const site: Site = given ?? { config: { providers: [] } }

export const lib: LibResult = Lib(site.config)
export const { ALL, onRequest, auth, protect, signIn, signOut, update } = lib
