import Lib from 'lib-auth/next'
import type { LibConfig, Session } from 'lib-auth/next'

/** The rules of the test do not depend on a framework. */
type SiteConfig = Omit<LibConfig, 'callbacks'> & {
  callbacks?: Omit<NonNullable<LibConfig['callbacks']>, 'authorized'> & {
    authorized?: (params: { auth: Session | null; url: URL }) => boolean | Response
  }
}

interface Site {
  readonly config: SiteConfig | (() => SiteConfig | Promise<SiteConfig>)
  readonly rules?: { readonly allow?: (session: Session) => boolean }
}

/** The test provides it while it loads the application. */
const site: Site = Reflect.get(globalThis, Symbol.for('lib-auth.site')) ?? {
  config: { providers: [] },
}

function withRules({
  callbacks: { authorized, ...callbacks } = {},
  ...config
}: SiteConfig): LibConfig {
  return {
    ...config,
    callbacks: {
      ...callbacks,
      authorized({ auth: session, request }) {
        const url = new URL(request.nextUrl.href)
        if (authorized) return authorized({ auth: session, url })
        return session !== null || url.pathname === '/page'
      },
    },
  }
}

const { config } = site

export const {
  handlers,
  auth,
  signIn,
  signOut,
  update,
  getAccessToken,
  requestScopes,
  requireAuth,
  sessions,
  account,
  factors,
  password,
} = Lib(typeof config === 'function' ? async () => withRules(await config()) : withRules(config))

export const allow = site.rules?.allow ?? (() => true)
