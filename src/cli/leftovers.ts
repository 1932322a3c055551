/** What is left to do by hand in a file of code. */
import type { Token } from './scan.ts'
import type { Findings, Specifier } from './specifiers.ts'

/** Something that somebody has to look at. */
export interface Leftover {
  /** In the text. */
  readonly at: number
  readonly what: string
}

const GONE = 'is of version 4: see "From version 4" in the guide.'

/** Names that only version 4 has. */
const OF_VERSION_4: ReadonlyMap<string, string> = new Map([
  ['getServerSession', 'is auth() now.'],
  ['unstable_getServerSession', 'is auth() now.'],
  ['NextAuthOptions', 'is LibConfig, or NextAuthConfig, now.'],
  ['withAuth', GONE],
  ['NextRequestWithAuth', GONE],
  ['NextMiddlewareWithAuth', GONE],
  ['NextAuthMiddlewareOptions', GONE],
])

const NO_TYPE = 'is a type that lib-auth does not export: remove it, or declare it yourself.'

/** Types without an equal. */
const WITHOUT_TYPE: ReadonlyMap<string, string> = new Map([
  ['OAuthChecks', NO_TYPE],
  ['OIDCConfigInternal', NO_TYPE],
  ['SemverString', NO_TYPE],
  ['WebAuthnOptionsResponseBody', NO_TYPE],
])

/** Variables of the environment that have new names. */
export const RENAMED_VARIABLES: ReadonlyMap<string, string> = new Map([
  ['NEXTAUTH_URL', 'is deprecated; rename it to AUTH_URL.'],
  ['NEXTAUTH_SECRET', 'is deprecated; rename it to AUTH_SECRET.'],
  ['NEXTAUTH_URL_INTERNAL', 'is not needed: auth() makes no request.'],
])

/** A text that is the name of one of the modules, or a pattern for it. */
const NAME = /^[\W_]*(?:next-auth|@auth\/core)(?:\/[\w/.*-]*)?[\W_]*$/
const COOKIE = /\b(?:authjs|next-auth)\.(?:session-token|csrf-token|callback-url)\b/

const SETTING =
  'is not an import, so it is left. Remove it from transpilePackages and serverExternalPackages. In the settings of a test runner (server.deps.inline, transformIgnorePatterns, moduleNameMapper) rename it to lib-auth: a mock of next/headers reaches only a library that the test runner transforms.'

function inTexts({ texts }: Findings): Leftover[] {
  return texts.flatMap(({ start: at, name }) => {
    if (COOKIE.test(name))
      return [
        {
          at,
          what: `"${name}": the session cookie is called lib.session-token now, on https __Host-lib.session-token.`,
        },
      ]
    const variable = RENAMED_VARIABLES.get(name)
    if (variable !== undefined) return [{ at, what: `${name} ${variable}` }]
    if (!NAME.test(name)) return []
    return [{ at, what: `"${name}" ${SETTING}` }]
  })
}

/** Words that mean something else now; each is pointed out once. */
function inWords({ tokens }: Findings, meanings: ReadonlyMap<string, string>): Leftover[] {
  const seen = new Set<string>()
  return tokens.flatMap(({ kind, start: at, text }) => {
    const what = meanings.get(text)
    if (kind !== 'word' || what === undefined || seen.has(text)) return []
    seen.add(text)
    return [{ at, what: `${text} ${what}` }]
  })
}

/** `export const { auth: proxy } = …`, which Next does not see when it looks for the proxy. */
function inExports({ tokens }: Findings): Leftover[] {
  const isAt = (index: number, ...texts: readonly string[]): boolean =>
    texts.every((text, offset) => tokens[index + offset]?.text === text)
  return tokens.flatMap((token: Token, index) => {
    if (!isAt(index, 'export', 'const', '{')) return []
    const end = tokens.findIndex((each, at) => at > index && each.text === '}')
    const name = tokens
      .slice(index, end)
      .findIndex((_each, offset) => isAt(index + offset, 'auth', ':'))
    const given = name === -1 ? undefined : tokens[index + name + 2]?.text
    if (given !== 'proxy' && given !== 'middleware') return []
    return [
      {
        at: token.start,
        what: `Next does not see "export const { auth: ${given} }": write export { auth as ${given} } from "./auth", without a configuration of its own.`,
      },
    ]
  })
}

const GET_TOKEN =
  'getToken() does not see the configuration of NextAuth(): pass config, or migrateSessions: true to read sessions from before.'

/** Every call of `getToken`, by the names under which the file imports it. */
function inTokenCalls({ tokens }: Findings): Leftover[] {
  const textAt = (index: number): string => tokens[index]?.text ?? ''
  const aliases = tokens.flatMap(({ text }, index) =>
    text === 'getToken' && textAt(index + 1) === 'as' ? [textAt(index + 2)] : [],
  )
  const names = new Set(['getToken', ...aliases])
  return tokens.flatMap(({ kind, start: at, text }, index) => {
    const isCall = /^[(<]$/.test(textAt(index + 1)) && !/^(?:\.|function)$/.test(textAt(index - 1))
    return kind === 'word' && names.has(text) && isCall ? [{ at, what: GET_TOKEN }] : []
  })
}

/** Whether a module is one of the libraries, or this one: what has the same names elsewhere is something else. */
function isLibrary({ name }: Specifier): boolean {
  return /^(?:next-auth|@auth\/core|lib-auth)(?:\/|$)/.test(name)
}

/** What is left to do in the file. */
export function findLeftovers(findings: Findings): Leftover[] {
  const everywhere = [...inTexts(findings), ...inWords(findings, RENAMED_VARIABLES)]
  if (!findings.specifiers.some(isLibrary)) return everywhere
  const isAboutTokens = findings.specifiers.some(
    (each) => isLibrary(each) && each.name.endsWith('/jwt'),
  )
  return [
    ...everywhere,
    ...inWords(findings, OF_VERSION_4),
    ...inWords(findings, WITHOUT_TYPE),
    ...inExports(findings),
    ...(isAboutTokens ? inTokenCalls(findings) : []),
  ]
}
