/** Finds what `migrate-imports` cannot rewrite in source code. */
import { find, findStrings } from '../code-view.ts'
import type { CodeView, ManualStep, StringToken } from '../code-view.ts'
import { LIBRARIES, VERSION_4 } from './replacements.ts'
import { unsafeSteps } from './unsafe-steps.ts'

const NO_TYPE = 'is a type that lib-auth does not export: remove it, or declare it yourself.'

/** Deprecated environment variables. */
export const RENAMED_VARIABLES: ReadonlyMap<string, string> = new Map([
  ['NEXTAUTH_URL', 'is deprecated; rename it to AUTH_URL.'],
  ['NEXTAUTH_SECRET', 'is deprecated; rename it to AUTH_SECRET.'],
  ['NEXTAUTH_URL_INTERNAL', 'is not needed: auth() makes no request.'],
])

/** Exports of `next-auth` and `@auth/core` that `lib-auth` does not have. */
const MISSING_EXPORTS: ReadonlyMap<string, string> = new Map([
  ['getServerSession', 'is auth() now.'],
  ['unstable_getServerSession', 'is auth() now.'],
  ['NextAuthOptions', 'is LibConfig, or NextAuthConfig, now.'],
  ['withAuth', VERSION_4],
  ['NextRequestWithAuth', VERSION_4],
  ['NextMiddlewareWithAuth', VERSION_4],
  ['NextAuthMiddlewareOptions', VERSION_4],
  ['OAuthChecks', NO_TYPE],
  ['OIDCConfigInternal', NO_TYPE],
  ['SemverString', NO_TYPE],
  ['authConfigManager', 'has no equivalent: set basePath of SessionProvider.'],
  ['useOauthPopupLogin', 'has no equivalent: signIn() of lib-auth/react redirects this page.'],
  ['reqWithEnvUrl', 'is not needed: set AUTH_URL.'],
  ['setEnvDefaults', 'is not needed: the variables are read for each request.'],
  ['GetSessionResult', 'is Promise<Session | null> now.'],
])

/** Types of `@hono/auth-js`. Their names are common, so they are searched only in files that import it. */
const HONO_TYPES: ReadonlyMap<string, string> = new Map([
  ['AuthEnv', NO_TYPE],
  ['ConfigHandler', NO_TYPE],
])
/** Where the configuration is read from the context of Hono. */
const HONO_CONFIG = /\.\s*(?:get\(\s*(['"`])authConfig\1|var\s*\??\.\s*authConfig\b)/g
/** Where a file with a user of Hono reads its token. */
const HONO_TOKEN = /\.\s*token\b|\{[^{}]*\btoken\b[^{}]*\}\s*=/g

const COOKIE = /\b(?:authjs|next-auth)\.(?:session-token|csrf-token|callback-url)\b/
/** A module name, or a pattern for one. */
const MODULE = new RegExp(String.raw`^[^\w/\s]*(?:${LIBRARIES})(?:\/[\w/.*-]*)?[^\w\s]*$`)
/** Next.js finds the proxy only in an export list. */
const PROXY = /\bexport\s+const\s*\{[^}]*\bauth\s*:\s*(proxy|middleware)\b/g

/** Where Express mounts the routes, which set the base path there. */
const EXPRESS_MOUNT = /\.\s*use\s*\(\s*(['"`])(\/[^'"`\s]*)\1\s*,\s*ExpressAuth\s*\(/g
const TRUST_PROXY = /(['"`])trust proxy\1/g
const EXPRESS_PROXY =
  'The setting "trust proxy" does not apply to lib-auth: set AUTH_URL, or AUTH_TRUST_HOST=true behind a proxy that overwrites the forwarded headers.'

/** The base path that `ExpressAuth` took from its mount path. */
function describeMount(_quote: string, mount: string): string | undefined {
  const basePath = mount.replace(/[/{]*[*:(].*$/, '').replace(/\/$/, '')
  return basePath === '/auth'
    ? undefined
    : `The mount path does not set the base path of the routes: set basePath: "${basePath || '/'}" in the configuration of ExpressAuth and getSession.`
}

/** `@sidebase/nuxt-auth` in the modules of Nuxt, and imports of what it adds to the server. */
const NUXT_AUTH =
  /(?:['"]@sidebase\/nuxt-auth(?:\/[\w/-]+)?['"]|\b(?:NuxtAuthHandler|getServerSession|getToken)\b[^}'";]{0,500}\}\s*from\s*['"]#auth['"])/g
const FROM_NUXT_AUTH =
  '@sidebase/nuxt-auth is replaced by lib-auth/nuxt and lib-auth/vue: see node_modules/lib-auth/docs/guides/migrate-from-other-packages.md#from-sidebasenuxt-auth'

const GET_TOKEN =
  'getToken() does not receive the configuration of NextAuth(): pass config, or migrateSessions: true to read the sessions of next-auth.'
const SETTING =
  'is not an import, so it was not changed. Remove it from transpilePackages and serverExternalPackages. In the settings of a test runner (server.deps.inline, transformIgnorePatterns, moduleNameMapper) rename it to lib-auth: a mock of next/headers reaches only a library that the test runner transforms.'

const NO_CONFIG =
  'The context variable authConfig is not set: keep the configuration in a variable of your own.'
const NO_TOKEN =
  'The result of getAuthUser has no token: add its claims to the session in the session callback.'

/** The first occurrence of each word in code, or as a whole string. */
function firstUses({ code, strings }: CodeView, words: ReadonlyMap<string, string>): ManualStep[] {
  return [...words].flatMap(([word, what]) => {
    const pattern = new RegExp(String.raw`(?<![\w$])${word}(?![\w$])`, 'g')
    const quoted = strings.filter(({ value }) => value === word).map(({ start }) => start)
    const places = [...[...code.matchAll(pattern)].map(({ index }) => index), ...quoted]
    return places.length === 0 ? [] : [{ at: Math.min(...places), what: `${word} ${what}` }]
  })
}

/** Every call of `getToken`, by all names under which the file imports it. */
function tokenCalls(source: string): ManualStep[] {
  const aliases = [...source.matchAll(/\bgetToken\s+as\s+([\w$]+)/g)].map(([, alias = '']) => alias)
  const names = ['getToken', ...aliases].map((name) => name.replaceAll('$', String.raw`\$`))
  const call = new RegExp(String.raw`(?<![.\w$]|function\s+)(?:${names.join('|')})\s*[(<]`, 'g')
  return find(source, call, () => GET_TOKEN)
}

/** What a file uses of `@hono/auth-js` that does not exist here. */
function honoSteps(view: CodeView): ManualStep[] {
  const source = view.withStrings
  const hasUser = /\b(?:authUser|getAuthUser)\b/.test(source)
  const token = hasUser ? find(source, HONO_TOKEN, () => NO_TOKEN).slice(0, 1) : []
  return [...firstUses(view, HONO_TYPES), ...find(source, HONO_CONFIG, () => NO_CONFIG), ...token]
}

const OWN = new RegExp(String.raw`^(?:${LIBRARIES}|lib-auth)(?:\/|$)`)

/** @param specifiers - the imported modules of these libraries */
export function findManualSteps(
  view: CodeView,
  specifiers: readonly StringToken[],
): readonly ManualStep[] {
  const { code, withStrings } = view
  const places = new Set(specifiers.map(({ start }) => start))
  // Other libraries have exports of the same names.
  const own = specifiers.map(({ value }) => value).filter((name) => OWN.test(name))
  const importsFrom = (pattern: RegExp) => own.some((name) => pattern.test(name))
  const everywhere = [
    ...firstUses(view, RENAMED_VARIABLES),
    ...findStrings(
      view,
      ({ value }) => COOKIE.test(value),
      (name) =>
        `"${name}": the session cookie is called lib.session-token now, on https __Host-lib.session-token.`,
    ),
    ...find(withStrings, NUXT_AUTH, () => FROM_NUXT_AUTH),
    ...findStrings(
      view,
      ({ start, value }) => MODULE.test(value) && !places.has(start),
      (name) => `"${name}" ${SETTING}`,
    ),
    ...unsafeSteps(view),
  ]
  if (own.length === 0) return everywhere
  return [
    ...everywhere,
    ...firstUses(view, MISSING_EXPORTS),
    ...find(
      code,
      PROXY,
      (name) =>
        `Next.js does not find "export const { auth: ${name} }": write export { auth as ${name} } from "./auth", without a configuration of its own.`,
    ),
    ...(importsFrom(/^(?:@auth|lib-auth)\/express$/)
      ? [
          ...find(withStrings, EXPRESS_MOUNT, describeMount),
          ...find(withStrings, TRUST_PROXY, () => EXPRESS_PROXY),
        ]
      : []),
    ...(importsFrom(/^(?:@hono\/auth-js|lib-auth\/hono)$/) ? honoSteps(view) : []),
    ...(importsFrom(/\/jwt$/) ? tokenCalls(code) : []),
  ]
}
