/** Finds code that worked with `next-auth`, and that this library rejects. */
import type { CodeView } from './code-view.ts'

interface Step {
  readonly at: number
  readonly what: string
}

const SIGN_IN_BY_GET =
  'signIn() in a GET handler signs in whoever opens a link: for visitors from other sites, it throws MissingCSRF (500). Sign in with a form, or in the browser: see node_modules/lib-auth/docs/guides/guests.md'

/** The declaration of a handler; with a list of exports, its beginning is unknown. */
const GET = /\bexport\s+(?:(?:async\s+)?function\s*\*?\s*GET\b|(?:const|let|var)\s+GET\b)/g
const LISTED_GET = /\bexport\s*\{[^}]*\bGET\b[^}]*\}(?!\s*from)/
const NEXT_EXPORT = /^export\b/gm
/** A call with a provider: without, it leads to the sign-in page. */
const SIGN_IN = /(?<![.\w$]|\bfunction\s+)signIn\s*\(\s*(?!\)|undefined\b)/g
/** `signIn` of another package. */
const FOREIGN =
  /\bimport\s*\{[^}]*\bsignIn\b[^}]*\}\s*from\s*['"](?![.~#$/]|@\/|(?:app|lib|server|src)\/|(?:next-|lib-)?auth\b)/

function handlersOf(code: string): readonly (readonly [number, number])[] {
  if (LISTED_GET.test(code)) return [[0, code.length]]
  return [...code.matchAll(GET)].map(({ index }) => {
    const next = [...code.matchAll(NEXT_EXPORT)].find((each) => each.index > index)
    return [index, next?.index ?? code.length]
  })
}

const HTTP_ISSUER = /\bissuer\s*:\s*(['"`])http:\/\//g
export const HTTP_ISSUER_STEP =
  'The issuer is on http. Use https, or on a development machine set [insecureHttp]: true on the provider, with import { insecureHttp } from "lib-auth".'

/** Sign-ins by GET, and issuers over http. */
export function unsafeSteps({ code, withStrings }: CodeView): readonly Step[] {
  const ranges = FOREIGN.test(withStrings) ? [] : handlersOf(code)
  const signIns = ranges.flatMap(([start, end]) =>
    [...code.slice(start, end).matchAll(SIGN_IN)].map(({ index }) => ({
      at: start + index,
      what: SIGN_IN_BY_GET,
    })),
  )
  const issuers = [...withStrings.matchAll(HTTP_ISSUER)].map(({ index }) => ({
    at: index,
    what: HTTP_ISSUER_STEP,
  }))
  return [...signIns, ...issuers]
}
