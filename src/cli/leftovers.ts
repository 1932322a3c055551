/** Finds what cannot be rewritten in a source file and is left to do by hand. */

export interface Leftover {
  /** Position in the source. */
  readonly at: number
  readonly what: string
}

/** The module specifiers of the file. */
interface Specifiers {
  readonly names: readonly string[]
  readonly places: ReadonlySet<number>
}

const VERSION_4 = 'is of version 4: see "From version 4" in the guide.'
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
  ['WebAuthnOptionsResponseBody', NO_TYPE],
])

const COOKIE =
  /(['"`])([^'"`\n]*\b(?:authjs|next-auth)\.(?:session-token|csrf-token|callback-url)\b[^'"`\n]*)\1/g
/** A quoted module name, or a pattern for one. */
const MODULE = /(['"`])([^\w/'"`\n]*(?:next-auth|@auth\/core)(?:\/[\w/.*-]*)?[^\w'"`\n]*)\1/g
/** Next.js finds the proxy only in an export list. */
const PROXY = /\bexport\s+const\s*\{[^}]*\bauth\s*:\s*(proxy|middleware)\b/g

const GET_TOKEN =
  'getToken() does not receive the configuration of NextAuth(): pass config, or migrateSessions: true to read the sessions of next-auth.'
const SETTING =
  'is not an import, so it was not changed. Remove it from transpilePackages and serverExternalPackages. In the settings of a test runner (server.deps.inline, transformIgnorePatterns, moduleNameMapper) rename it to lib-auth: a mock of next/headers reaches only a library that the test runner transforms.'

/** The first occurrence of each word. */
function firstUses(source: string, words: ReadonlyMap<string, string>): Leftover[] {
  return [...words].flatMap(([word, what]) => {
    const at = source.search(new RegExp(String.raw`(?<![\w$])${word}(?![\w$])`))
    return at === -1 ? [] : [{ at, what: `${word} ${what}` }]
  })
}

/** Every call of `getToken`, by all names under which the file imports it. */
function tokenCalls(source: string): Leftover[] {
  const aliases = [...source.matchAll(/\bgetToken\s+as\s+([\w$]+)/g)].map(([, alias = '']) => alias)
  const names = ['getToken', ...aliases].map((name) => name.replaceAll('$', String.raw`\$`))
  const call = new RegExp(String.raw`(?<![.\w$]|function\s+)(?:${names.join('|')})\s*[(<]`, 'g')
  return [...source.matchAll(call)].map(({ index: at }) => ({ at, what: GET_TOKEN }))
}

export function findLeftovers(source: string, { names, places }: Specifiers): readonly Leftover[] {
  const everywhere = [
    ...firstUses(source, RENAMED_VARIABLES),
    ...[...source.matchAll(COOKIE)].map(({ index: at, 2: name }) => ({
      at,
      what: `"${name}": the session cookie is called lib.session-token now, on https __Host-lib.session-token.`,
    })),
    ...[...source.matchAll(MODULE)]
      .filter(({ index }) => !places.has(index + 1))
      .map(({ index: at, 2: name }) => ({ at, what: `"${name}" ${SETTING}` })),
  ]
  // Other libraries have exports of the same names.
  const isLibrary = (name: string) => /^(?:next-auth|@auth\/core|lib-auth)(?:\/|$)/.test(name)
  if (!names.some(isLibrary)) return everywhere
  return [
    ...everywhere,
    ...firstUses(source, MISSING_EXPORTS),
    ...[...source.matchAll(PROXY)].map(({ index: at, 1: name }) => ({
      at,
      what: `Next.js does not find "export const { auth: ${name} }": write export { auth as ${name} } from "./auth", without a configuration of its own.`,
    })),
    ...(names.some((name) => isLibrary(name) && name.endsWith('/jwt')) ? tokenCalls(source) : []),
  ]
}
