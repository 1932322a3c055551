/** What a configuration must be. Every problem is reported at once, with what to write instead. */
import type { AuthError } from '../errors/base.ts'
import {
  InvalidConfiguration,
  InvalidEndpoints,
  MissingAuthorize,
  MissingSecretError,
} from '../errors/configuration.ts'
import { isAllowed } from '../flows/oauth/fetch.ts'
import type { HttpPolicy } from '../flows/oauth/fetch.ts'
import { isOriginPattern, isProxyUrl } from '../flows/oauth/proxy.ts'
import { isOrigin } from '../http/origin.ts'
import { isProviderId } from '../http/path.ts'
import { insecureHttp } from '../symbols.ts'
import { providerNames } from '../variables.ts'
import { cookiePolicy, cookieProblem } from './cookies.ts'
import type { OAuthConfig, ProviderConfig } from './provider.ts'
import type { AuthConfig } from './types.ts'
import { adapterProblems } from './validate-adapter.ts'

/** What the rules look at. */
export interface Draft {
  readonly config: AuthConfig
  readonly providers: readonly ProviderConfig[]
  /** What is wrong with entries that are no provider. */
  readonly problems: readonly AuthError[]
  /** Plain http that is accepted from providers that do not say. */
  readonly http: HttpPolicy
}

type Rule = (draft: Draft) => readonly AuthError[]

function urlOf(
  endpoint: string | { readonly url?: string | undefined } | undefined,
): string | undefined {
  return typeof endpoint === 'string' ? endpoint : endpoint?.url
}

/** Entries of `providers` that are none were found when the list was read. */
const hasProviders: Rule = ({ problems }) => problems

function isSecret(secret: string | readonly string[] | undefined): boolean {
  const secrets = typeof secret === 'string' ? [secret] : (secret ?? [])
  return secrets.length > 0 && secrets.every(Boolean)
}

const hasSecret: Rule = ({ config: { secret, jwt = {}, redirectProxySecret } }) => {
  const problems = []
  if (!isSecret(secret))
    problems.push(
      'There is no secret. Set AUTH_SECRET, or secret in the configuration, to 32 random bytes or more.',
    )
  const optional = { 'jwt.secret': jwt.secret, redirectProxySecret }
  for (const [name, value] of Object.entries(optional))
    if (value !== undefined && !isSecret(value))
      problems.push(`${name} is empty. Set it to 32 random bytes or more, or leave it out.`)
  return problems.map((problem) => new MissingSecretError(problem))
}

const hasPlainOrigin: Rule = ({ config: { origin } }) => {
  if (origin === undefined || isOrigin(origin.replace(/\/$/, ''))) return []
  return [
    new InvalidConfiguration(
      `"${origin}" is not an origin. AUTH_URL (or origin in the configuration) has to look like https://example.com.`,
    ),
  ]
}

const hasUsablePages: Rule = ({ config: { pages = {} } }) =>
  Object.entries(pages).flatMap(([page, url]) => {
    if (url === undefined || (url && URL.canParse(url, 'https://relative.invalid'))) return []
    return [new InvalidConfiguration(`pages.${page} is not a path or URL.`)]
  })

const hasUsableCookies: Rule = ({ config }) => {
  const security = config.useSecureCookies === false ? 'plain' : 'secure'
  const { sessionTokens: _all, ...policy } = cookiePolicy(security, config)
  return Object.values(policy).flatMap((cookie) => {
    const problem = cookieProblem(cookie)
    return problem === null ? [] : [new InvalidConfiguration(`The ${problem}.`)]
  })
}

const hasKnownStrategy: Rule = ({ config: { session } }) => {
  const strategy: unknown = session?.strategy ?? 'jwt'
  if (strategy === 'jwt' || strategy === 'database') return []
  return [new InvalidConfiguration('session.strategy has to be "jwt" or "database".')]
}

const hasUsableIds: Rule = ({ providers }) =>
  providers.flatMap(({ id }) => {
    if (isProviderId(id)) return []
    return [
      new InvalidConfiguration(
        `"${id}" cannot be the id of a provider, because it is part of a path. Use letters, digits, "-", "_", "." and "~".`,
      ),
    ]
  })

/** Lifetimes that may have no end. */
const ENDLESS: ReadonlySet<string> = new Set(['session.updateAge', 'session.absoluteMaxAge'])

function isLifetime(name: string, seconds: number): boolean {
  return Number.isFinite(seconds) ? seconds >= 0 : seconds === Infinity && ENDLESS.has(name)
}

const hasUsableLifetimes: Rule = ({ config: { session = {}, jwt = {} } }) => {
  const lifetimes = {
    'session.maxAge': session.maxAge,
    'session.updateAge': session.updateAge,
    'session.absoluteMaxAge': session.absoluteMaxAge,
    'jwt.maxAge': jwt.maxAge,
  }
  return Object.entries(lifetimes).flatMap(([name, seconds]) => {
    if (seconds === undefined || isLifetime(name, seconds)) return []
    return [new InvalidConfiguration(`${name} has to be a number of seconds.`)]
  })
}

/** The endpoints a provider needs when there is no metadata to find them in (RFC 8414). */
function missingEndpoints(provider: OAuthConfig): string[] {
  if (provider.issuer || provider.wellKnown || provider.type === 'oidc') return []
  const { authorization, token, userinfo } = provider
  const asksItself = typeof userinfo === 'object' && userinfo.request !== undefined
  const needed = {
    authorization: urlOf(authorization),
    token: urlOf(token),
    ...(!asksItself && { userinfo: urlOf(userinfo) }),
  }
  return Object.entries(needed).flatMap(([name, url]) => (url ? [] : [name]))
}

function endpointProblems(provider: OAuthConfig, http: HttpPolicy): string[] {
  const policy = provider[insecureHttp] ? 'any' : http
  const { issuer, wellKnown, authorization, token, userinfo, jwks_endpoint } = provider
  const urls = {
    issuer,
    wellKnown,
    authorization: urlOf(authorization),
    token: urlOf(token),
    userinfo: urlOf(userinfo),
    jwks_endpoint,
  }
  return Object.entries(urls).flatMap(([name, url]) => {
    if (!url) return []
    if (!URL.canParse(url)) return [`its ${name} is not a URL`]
    if (isAllowed(new URL(url), policy)) return []
    return [`its ${name} is not https; to allow that, set [insecureHttp]: true on the provider`]
  })
}

const hasUsableEndpoints: Rule = ({ providers, http }) =>
  providers.flatMap((provider) => {
    if (provider.type !== 'oauth' && provider.type !== 'oidc') return []
    const missing = missingEndpoints(provider)
    const problems = endpointProblems(provider, http)
    if (provider.type === 'oidc' && !provider.issuer && !provider.wellKnown)
      problems.push(
        `its issuer is required, because ID tokens cannot be verified without it; set it, or ${providerNames(provider.id, 'issuer')[0]} in the environment`,
      )
    if (missing.length > 0) problems.push(`it has no issuer, so it needs ${missing.join(' and ')}`)
    return problems.map(
      (problem) => new InvalidEndpoints(`Provider ${provider.id} cannot be used: ${problem}.`),
    )
  })

const hasUsableRedirectProxy: Rule = ({ config, providers, http }) => {
  const urls = providers.flatMap((provider): [string, string | undefined][] => {
    const isOAuth = provider.type === 'oauth' || provider.type === 'oidc'
    return isOAuth ? [[` of provider ${provider.id}`, provider.redirectProxyUrl]] : []
  })
  const problems = [['', config.redirectProxyUrl] as const, ...urls].flatMap(([whose, url]) => {
    if (!url || isProxyUrl(url, http)) return []
    return [
      `redirectProxyUrl${whose} has to be the https URL of the routes of a deployment, as in https://auth.example.com/auth`,
    ]
  })
  for (const pattern of config.redirectProxyAllowedOrigins ?? [])
    if (!isOriginPattern(pattern, http))
      problems.push(
        `"${pattern}" in redirectProxyAllowedOrigins has to look like https://preview.example.com or https://*.example.com`,
      )
  return problems.map((problem) => new InvalidConfiguration(`${problem}.`))
}

const canAuthorize: Rule = ({ providers }) =>
  providers.flatMap((provider) => {
    if (provider.type !== 'credentials' || typeof provider.authorize === 'function') return []
    return [new MissingAuthorize(`Provider ${provider.id} needs an authorize function.`)]
  })

const hasUsableAdapter: Rule = ({ config, providers }) => adapterProblems(config, providers)

const canSendMail: Rule = ({ providers }) =>
  providers.flatMap((provider) => {
    if (provider.type !== 'email' || typeof provider.sendVerificationRequest === 'function')
      return []
    return [
      new InvalidConfiguration(
        `Provider ${provider.id} cannot send mail: it needs a sendVerificationRequest function.`,
      ),
    ]
  })

const rules: readonly Rule[] = [
  hasSecret,
  hasProviders,
  hasUsableIds,
  hasPlainOrigin,
  hasUsablePages,
  hasUsableCookies,
  hasKnownStrategy,
  hasUsableLifetimes,
  hasUsableEndpoints,
  hasUsableRedirectProxy,
  canAuthorize,
  canSendMail,
  hasUsableAdapter,
]

/** Everything that is wrong with a configuration. */
export function problemsOf(draft: Draft): readonly AuthError[] {
  return rules.flatMap((rule) => rule(draft))
}

/**
 * Holds a configuration against every rule.
 *
 * @throws the error of the first problem; its message names all of them
 */
export function validate(draft: Draft): void {
  const [first, ...others] = problemsOf(draft)
  if (!first) return
  if (others.length > 0)
    first.message = [first, ...others]
      .map(({ message }, index) => `(${index + 1}) ${message}`)
      .join(' ')
  throw first
}
