/** Finds variables that are set, but under a name that the library does not read. */
import { nearestName } from '../../core/config/nearest-name.ts'
import { providerNames, text, URL_NAMES } from '../../core/config/variables.ts'
import { locateVariable, topic } from './context.ts'
import type { Finding, DoctorContext } from './context.ts'

const SETTINGS = ['clientId', 'clientSecret', 'issuer', 'apiKey'] as const
const COMMON = [
  'AUTH_SECRET',
  'AUTH_SECRET_1',
  'AUTH_SECRET_2',
  'AUTH_SECRET_3',
  'AUTH_TRUST_HOST',
  'AUTH_REDIRECT_PROXY_URL',
  'AUTH_REDIRECT_PROXY_SECRET',
  'AUTH_REDIRECT_PROXY_ALLOWED_ORIGINS',
  'LIB_SECRET',
  'NEXTAUTH_SECRET',
  ...URL_NAMES,
]

/** What remains of a name without a prefix of other libraries and without CLIENT. */
function core(name: string): string {
  return name
    .toUpperCase()
    .replace(/^(?:NEXT_PUBLIC_|VITE_|NUXT_)/, '')
    .replace(/^(?:NEXT_?)?AUTH_/, '')
    .replace(/_?CLIENT_?(?=ID$|SECRET$)/, '_')
    .replaceAll('_', '')
}

/** The variable that the user may have meant by the first of these names; `undefined` without one. */
export function misspelling(
  names: readonly string[],
  { env, providers }: DoctorContext,
): string | undefined {
  const [wanted = ''] = names
  const read = providers.flatMap(({ id }) => SETTINGS.flatMap((each) => providerNames(id, each)))
  const known = new Set([...COMMON, ...read])
  const others = Object.keys(env).filter((name) => text(env, name) && !known.has(name))
  const similar = others.filter((name) => /^(?:NEXT)?AUTH_/i.test(name))
  // A platform may set a variable such as URL.
  const candidates = COMMON.includes(wanted) ? similar : others
  const nearest = nearestName(wanted, similar)
  const exact = candidates.find((name) => core(name) === core(wanted))
  // Of GITHUB_SECRE, GOOGLE_SECRET is near, but GITHUB_SECRET is nearer.
  const meant = nearest === undefined ? undefined : nearestName(nearest, [...known, ...names])
  return exact ?? (meant !== undefined && names.includes(meant) ? nearest : undefined)
}

/** Variables that the library reads if they are set; those of clients are reported with their provider. */
export function* checkVariables(context: DoctorContext): Generator<Finding> {
  const { config, clients } = context
  const issuers = clients.filter(({ type, issuer }) => type === 'oidc' && !issuer)
  const wanted = [
    ...(config.secret?.length ? [] : [['AUTH_SECRET']]),
    ...(config.origin === undefined ? [['AUTH_URL']] : []),
    ...(config.trustHost === undefined ? [['AUTH_TRUST_HOST']] : []),
    ...issuers.map(({ id }) => providerNames(id, 'issuer')),
  ]
  for (const names of wanted) {
    const found = misspelling(names, context)
    if (found !== undefined)
      yield topic('environment')
        .warning`${locateVariable(found, context)} is not read. → Did you mean ${names[0]}?`
  }
}
