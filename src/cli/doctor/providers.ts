/** The providers, their clients and their redirect URIs. */
import { parseProviders } from '../../config/parse-providers.ts'
import type { OAuthConfig, ProviderConfig } from '../../config/provider.ts'
import { needsSecret } from '../../config/validate-providers.ts'
import { resolveProvider } from '../../flows/oauth/provider.ts'
import type { ConfiguredProvider } from '../../flows/oauth/provider.ts'
import { redirectUri } from '../../flows/oauth/proxy.ts'
import { nameOf, providerNames, text } from '../../variables.ts'
import { topic } from './finding.ts'
import type { Finding } from './finding.ts'
import type { Subject } from './subject.ts'

const CLIENT = { clientId: 'client id', clientSecret: 'client secret' } as const
type Setting = keyof typeof CLIENT

const PLACEHOLDER =
  /^(?:your|my|<|\.\.\.|…|x{3}|change|replace|placeholder|todo|client.?(?:id|secret)$)/i

function isOAuth(provider: ProviderConfig): provider is OAuthConfig {
  return provider.type === 'oauth' || provider.type === 'oidc'
}

/** The OAuth providers as the library uses them, without those whose redirect proxy is invalid. */
export function oauthProviders({ config, providers, http }: Subject): ConfiguredProvider[] {
  const { fetch, redirectProxyUrl } = config
  return providers.filter(isOAuth).flatMap((provider) => {
    const proxyUrl = provider.redirectProxyUrl ?? redirectProxyUrl
    const isUsable = !proxyUrl || URL.canParse(proxyUrl)
    return isUsable ? [resolveProvider(provider, { fetch, http, redirectProxyUrl })] : []
  })
}

/** A variable under a name that other libraries or the provider use. */
function similarVariable(id: string, setting: Setting, env: Subject['env']): string | undefined {
  const stem = id.toUpperCase().replace(/\W/g, '_').split('_').join('_?')
  const end = setting === 'clientId' ? 'ID' : 'SECRET'
  const pattern = new RegExp(
    `^(?:NEXT_PUBLIC_)?(?:AUTH_)?${stem}_(?:OAUTH_)?(?:CLIENT_?|APP_)?${end}$`,
  )
  const names = providerNames(id, setting)
  return Object.keys(env).find((name) => pattern.test(name) && !names.includes(name) && env[name])
}

function* checkSetting(
  provider: ConfiguredProvider,
  setting: Setting,
  { env }: Subject,
): Generator<Finding> {
  const { id, name: vendor, [setting]: value } = provider
  const { error } = topic(`provider ${id}`)
  const [name] = providerNames(id, setting)
  const advice = `Set ${name} to the ${CLIENT[setting]} from ${vendor}.`
  const other = similarVariable(id, setting, env)
  if (!value && other !== undefined)
    yield error`${setting} is missing. ${other} is set, but not read. → Rename it to ${name}.`
  else if (!value)
    yield error`${setting} is missing${name in env ? `: ${name} is empty` : ''}. → ${advice}`
  else if (PLACEHOLDER.test(value)) yield error`${setting} is a placeholder. → ${advice}`
  else if (value !== value.trim()) yield error`${setting} starts or ends with a space. → ${advice}`
}

/** The origin of redirect URIs; in development without a configured one, that of the local server. */
function registeredOrigin({ origin, url, env }: Subject): string {
  const local = `http://localhost:${text(env, 'PORT') ?? '3000'}`
  return origin ?? url?.origin ?? (env['NODE_ENV'] === 'development' ? local : 'https://<host>')
}

function* checkClient(provider: ConfiguredProvider, subject: Subject): Generator<Finding> {
  const { given, env, basePath } = subject
  const { id } = provider
  const settings: readonly Setting[] = needsSecret(provider)
    ? ['clientId', 'clientSecret']
    : ['clientId']
  const findings = settings.flatMap((setting) =>
    Array.from(checkSetting(provider, setting, subject)),
  )
  yield* findings
  const entry = parseProviders(given.providers ?? []).providers.find((each) => each.id === id)
  const variables = (['clientId', 'clientSecret'] as const).flatMap((setting) =>
    entry && isOAuth(entry) && entry[setting]
      ? []
      : (nameOf(env, providerNames(id, setting)) ?? []),
  )
  const from =
    findings.length === 0 && variables.length > 0 ? `client from ${variables.join(' and ')}; ` : ''
  const uri = redirectUri({ origin: registeredOrigin(subject), config: { basePath } }, provider)
  yield topic(`provider ${id}`).ok`${from}redirect URI to register: ${uri}`
}

export function* checkProviders(subject: Subject): Generator<Finding> {
  const { providers, isLoaded, env } = subject
  const byId = new Map(oauthProviders(subject).map((provider) => [provider.id, provider]))
  for (const { id, type } of providers) {
    const provider = byId.get(id)
    if (provider) yield* checkClient(provider, subject)
    else if (type === 'email' || type === 'credentials')
      yield topic(`provider ${id}`).ok`type ${type}: no registration needed.`
  }
  if (isLoaded && providers.length === 0)
    yield topic('providers')
      .error`the list is empty, so no user can sign in. → Add one: import GitHub from 'lib-auth/providers/github', then providers: [GitHub].`
  const used = new Set(providers.flatMap(({ id }) => providerNames(id, 'clientId')))
  for (const [, name = '', stem = '', id = ''] of Object.keys(env)
    .join('\n')
    .matchAll(/^((AUTH_(.+))_ID)$/gm))
    if (isLoaded && !used.has(name) && env[name] && env[`${stem}_SECRET`])
      yield topic('environment')
        .warning`${name} and ${stem}_SECRET are set, but no provider reads them. → Add a provider with the id ${id.toLowerCase().replaceAll('_', '-')}, or remove them.`
  for (const name of Object.keys(env))
    if (/^NEXT_PUBLIC_.*SECRET/.test(name) && env[name])
      yield topic('environment')
        .error`${name} is sent to every browser. → Rename it without NEXT_PUBLIC_, and replace the secret, which is public.`
}
