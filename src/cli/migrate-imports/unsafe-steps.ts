/** Finds code that worked with `next-auth`, and that this library rejects. */
import { findStrings } from '../code-view.ts'
import type { CodeView, ManualStep, StringToken } from '../code-view.ts'

const SIGN_IN_BY_GET =
  'signIn() in a GET handler signs in whoever opens a link: for visitors from other sites, it throws MissingCSRF (500). Sign in with a form, or in the browser: see node_modules/lib-auth/docs/guides/guests.md'

/** The declaration of a `GET` handler. */
const GET = /\bexport\s+(?:(?:async\s+)?function\s*\*?\s*GET\b|(?:const|let|var)\s+GET\b)/g
/** `GET` in a list of exports: the handler may be declared anywhere. */
const LISTED_GET = /\bexport\s*\{[^}]*\bGET\b[^}]*\}(?!\s*from)/
const NEXT_EXPORT = /^export\b/gm
/** `GET` as another name of a function, which may also be declared anywhere. */
const ASSIGNED_GET = /\bexport\s+(?:const|let|var)\s+GET\b[^=]*=\s*[\w$.]+\s*(?:;|$)/m
/** The name under which a file imports `signIn`. */
const ALIAS = /\bsignIn\s+as\s+([\w$]+)/g

/** The beginning of module names of the application and of this library. */
const OWN = String.raw`(?:[.~#$/]|@\/|(?:app|lib|server|src)\/|(?:next-|lib-)?auth\b)`
const NAMESPACE = new RegExp(String.raw`\bimport\s*\*\s*as\s+([\w$]+)\s+from\s*['"](?=${OWN})`, 'g')
/** `signIn` of another package. */
const FOREIGN = new RegExp(String.raw`\bimport\s*\{[^}]*\bsignIn\b[^}]*\}\s*from\s*['"](?!${OWN})`)

/** Matches calls of `signIn` with a provider. Without a provider, it is safe: it redirects to the sign-in page. */
function signInCalls(source: string): RegExp {
  const aliases = [...source.matchAll(ALIAS)].map(([, alias = '']) => alias)
  const namespaces = [...source.matchAll(NAMESPACE)].map(([, name = '']) => `${name}.signIn`)
  const names = ['signIn', ...aliases, ...namespaces].map((name) => name.replace(/[$.]/g, '\\$&'))
  return new RegExp(
    String.raw`(?<![.\w$]|\bfunction\s+)(?:${names.join('|')})\s*\(\s*(?!\)|undefined\b)`,
    'g',
  )
}

function findHandlers(code: string): readonly (readonly [number, number])[] {
  if (LISTED_GET.test(code) || ASSIGNED_GET.test(code)) return [[0, code.length]]
  return [...code.matchAll(GET)].map(({ index }) => {
    const next = [...code.matchAll(NEXT_EXPORT)].find((each) => each.index > index)
    return [index, next?.index ?? code.length]
  })
}

/** The code before the URL of an issuer, which may be the default value of a variable. */
const BEFORE_ISSUER = /\b(?:issuer|wellKnown)['"]?\s*:\s*(?:[^,;{}]*(?:\?\?|\|\||[?:])\s*)?['"`]$/
const CONTEXT_LENGTH = 200
export const HTTP_ISSUER_STEP =
  'The issuer is on http. Use https, or on a development machine set [insecureHttp]: true on the provider, with import { insecureHttp } from "lib-auth".'

/** Finds sign-ins by GET, and issuers over http. */
export function unsafeSteps(view: CodeView): readonly ManualStep[] {
  const { code, withStrings } = view
  const calls = signInCalls(withStrings)
  const ranges = FOREIGN.test(withStrings) ? [] : findHandlers(code)
  const signIns = ranges.flatMap(([start, end]) =>
    [...code.slice(start, end).matchAll(calls)].map(({ index }) => ({
      at: start + index,
      what: SIGN_IN_BY_GET,
    })),
  )
  const isHttpIssuer = ({ start, value }: StringToken) =>
    value.startsWith('http://') &&
    BEFORE_ISSUER.test(withStrings.slice(Math.max(0, start - CONTEXT_LENGTH), start))
  return [...signIns, ...findStrings(view, isHttpIssuer, () => HTTP_ISSUER_STEP)]
}
