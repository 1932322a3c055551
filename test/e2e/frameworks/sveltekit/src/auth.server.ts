import Lib from 'lib-auth/sveltekit'
import type { AuthRequirement } from 'lib-auth'
import type { LibConfig } from 'lib-auth/sveltekit'

interface Site {
  readonly config: LibConfig | (() => LibConfig | Promise<LibConfig>)
  readonly rules?: {
    readonly allow?: (session: unknown) => boolean
    readonly requires?: AuthRequirement
  }
}

/** The test sets it before it loads the application. */
const site: Site = Reflect.get(globalThis, Symbol.for('lib-auth.site')) ?? {
  config: { providers: [] },
}

export const lib = Lib(site.config)
export const { handle, auth, protect, signIn, signOut, update } = lib
export const options = site.rules ?? {}
