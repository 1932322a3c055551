/** Whether providers have what they need, and what has to be registered there. */
import { normalizeBasePath } from '../../base-path.ts'
import { parseProviders } from '../../config/parse-providers.ts'
import type { OAuthConfig, ProviderConfig } from '../../config/provider.ts'
import { needsSecret } from '../../config/validate-providers.ts'
import { resolveProvider } from '../../flows/oauth/provider.ts'
import type { ConfiguredProvider } from '../../flows/oauth/provider.ts'
import { redirectUri } from '../../flows/oauth/proxy.ts'
import { nameOf, providerNames } from '../../variables.ts'
import { topic } from './finding.ts'
import type { Finding } from './finding.ts'
import type { Subject } from './subject.ts'

/** Settings that make a client, and what they are called where one is registered. */
const CLIENT = { clientId: 'client id', clientSecret: 'client secret' } as const
type Setting = keyof typeof CLIENT

const PLACEHOLDER =
  /^(?:your|my|<|\.\.\.|x{3}|change|replace|placeholder|todo|client.?(?:id|secret)$)/i

function isOAuth(provider: ProviderConfig): provider is OAuthConfig {
  return provider.type === 'oauth' || provider.type === 'oidc'
}

/** The providers somebody signs in with elsewhere, as the library uses them. */
export function oauthProviders({
  config,
  providers,
  http,
}: Subject): readonly ConfiguredProvider[] {
  const { fetch, redirectProxyUrl } = config
  const isUsable = (url: string | undefined) => !url || URL.canParse(url)
  return providers
    .filter(isOAuth)
    .filter((each) => isUsable(each.redirectProxyUrl ?? redirectProxyUrl))
    .map((provider) => resolveProvider(provider, { fetch, http, redirectProxyUrl }))
}

/** A variable that looks as if it was meant: as other libraries, and the pages of providers, call it. */
function lookalike(id: string, setting: Setting, env: Subject['env']): string | undefined {
  const stem = id.toUpperCase().replace(/\W/g, '_').split('_').join('_?')
  const end = setting === 'clientId' ? 'ID' : 'SECRET'
  const pattern = new RegExp(
    `^(?:NEXT_PUBLIC_)?(?:AUTH_)?${stem}_(?:OAUTH_)?(?:CLIENT_?|APP_)?${end}$`,
  )
  const known = providerNames(id, setting)
  return Object.keys(env).find((name) => pattern.test(name) && !known.includes(name) && env[name])
}

function missing(provider: ConfiguredProvider, setting: Setting, { env }: Subject): Finding {
  const about = topic(`provider ${provider.id}`)
  const [name] = providerNames(provider.id, setting)
  const other = lookalike(provider.id, setting, env)
  const empty = name in env ? ` ${name} is there, and empty.` : ''
  if (other !== undefined)
    return about.error(`has no ${setting}. ${other} is set, which is not read.`, `Call it ${name}.`)
  return about.error(
    `has no ${setting}.${empty}`,
    `Write ${name}=<the ${CLIENT[setting]} that ${provider.name} shows you>.`,
  )
}

/** The names of what the environment gives to a provider. */
function variablesOf({ id }: ConfiguredProvider, { given, env }: Subject): string[] {
  const own = parseProviders(given.providers ?? []).providers.find((each) => each.id === id)
  return (['clientId', 'clientSecret'] as const).flatMap((setting) => {
    const isOwn = own && isOAuth(own) && own[setting]
    return isOwn ? [] : (nameOf(env, providerNames(id, setting)) ?? [])
  })
}

function examineClient(provider: ConfiguredProvider, subject: Subject, origin: string): Finding[] {
  const { id, name } = provider
  const about = topic(`provider ${id}`)
  const settings: readonly Setting[] = needsSecret(provider)
    ? ['clientId', 'clientSecret']
    : ['clientId']
  const findings = settings.flatMap((setting): Finding[] => {
    const value = provider[setting]
    if (!value) return [missing(provider, setting, subject)]
    if (!PLACEHOLDER.test(value) && value === value.trim()) return []
    const [variable] = providerNames(id, setting)
    const what = PLACEHOLDER.test(value) ? 'is a placeholder' : 'begins or ends with a space'
    return [
      about.error(
        `its ${setting} ${what}.`,
        `Write ${variable}=<the ${CLIENT[setting]} that ${name} shows you>.`,
      ),
    ]
  })
  const config = { basePath: normalizeBasePath(subject.config.basePath ?? '') }
  const url = redirectUri({ origin, config }, provider)
  const variables = variablesOf(provider, subject)
  const from = variables.length > 0 ? `client from ${variables.join(' and ')}; ` : ''
  return [...findings, about.ok(`${from}register ${url} there as redirect URI.`)]
}

/** Clients in the environment that no provider uses. */
function unusedClients({ env, providers, isLoaded }: Subject): Finding[] {
  if (!isLoaded) return []
  const known = new Set(providers.flatMap(({ id }) => providerNames(id, 'clientId')))
  return Object.keys(env).flatMap((name) => {
    const [, start, id] = /^(AUTH_(.+))_ID$/.exec(name) ?? []
    if (start === undefined || id === undefined || known.has(name)) return []
    if (!env[name] || !env[`${start}_SECRET`]) return []
    return [
      topic('environment').warning(
        `${name} and ${start}_SECRET are set, and no provider reads them.`,
        `Add the provider to providers, with the id ${id.toLowerCase().replaceAll('_', '-')}, or leave them out.`,
      ),
    ]
  })
}

/** Looks at every provider. */
export function examineProviders(subject: Subject, origin: string): readonly Finding[] {
  const byId = new Map(oauthProviders(subject).map((provider) => [provider.id, provider]))
  const findings = subject.providers.flatMap(({ id, type }): Finding[] => {
    const provider = byId.get(id)
    return provider
      ? examineClient(provider, subject, origin)
      : type === 'oauth' || type === 'oidc'
        ? []
        : [topic(`provider ${id}`).ok(`of type ${type}: nothing has to be registered.`)]
  })
  if (subject.isLoaded && subject.providers.length === 0)
    findings.push(
      topic('providers').error(
        'there is none, so nobody can sign in.',
        "Write providers: [GitHub] in the configuration, with import GitHub from 'lib-auth/providers/github'.",
      ),
    )
  return [...findings, ...unusedClients(subject)]
}
