/** The OAuth providers: clients, redirect URIs, and the metadata of issuers (RFC 8414). */
import { needsSecret } from '../../config/validate-providers.ts'
import { TIMEOUTS } from '../../timeout.ts'
import { AuthError } from '../../errors.ts'
import { forRequest } from '../../flows/oauth/provider.ts'
import type { ConfiguredProvider } from '../../flows/oauth/provider.ts'
import { redirectUri } from '../../flows/oauth/proxy.ts'
import { discover } from '../../flows/oauth/server.ts'
import { createSecrets } from '../../hooks.ts'
import { providerNames, text } from '../../variables.ts'
import { quoted, topic } from './finding.ts'
import type { Finding } from './finding.ts'
import { measured } from './site.ts'
import type { Subject } from './subject.ts'

/** Texts of templates, and values with spaces around them. */
const PLACEHOLDER =
  /^(?:your|my|<|\.\.\.|…|x{3}|change|replace|placeholder|todo|client.?(?:id|secret)$)|^\s|\s$/i

/** The origin of redirect URIs; in development without a configured one, that of the local server. */
function registeredOrigin({ origin, url, env }: Subject): string {
  const local = `http://localhost:${text(env, 'PORT') ?? '3000'}`
  return origin ?? url?.origin ?? (env['NODE_ENV'] === 'development' ? local : 'https://<host>')
}

function* checkClient(provider: ConfiguredProvider, subject: Subject): Generator<Finding> {
  const { env, basePath } = subject
  const { ok, error } = topic(`provider ${provider.id}`)
  const variables: string[] = []
  for (const setting of ['clientId', 'clientSecret'] as const) {
    const names = providerNames(provider.id, setting)
    const advice = `Set ${names[0]} to the value from ${provider.name}.`
    const value = provider[setting]
    variables.push(...names.filter((name) => value && env[name] === value))
    if (setting === 'clientSecret' && !needsSecret(provider)) continue
    if (!value) yield error`${setting} is missing. → ${advice}`
    else if (PLACEHOLDER.test(value))
      yield error`${setting} is a placeholder, or starts or ends with a space. → ${advice}`
  }
  const from = variables.length > 0 ? `client from ${variables.join(' and ')}; ` : ''
  const uri = redirectUri({ origin: registeredOrigin(subject), config: { basePath } }, provider)
  yield ok`${from}redirect URI to register: ${uri}`
}

export function* checkProviders(subject: Subject): Generator<Finding> {
  const { given, providers, clients, env } = subject
  if (given && providers.length === 0)
    yield topic('providers')
      .error`the list is empty, so no user can sign in. → Add one: import GitHub from 'lib-auth/providers/github', then providers: [GitHub].`
  for (const provider of clients) yield* checkClient(provider, subject)
  for (const name of Object.keys(env))
    if (/^NEXT_PUBLIC_.*SECRET/.test(name) && env[name])
      yield topic('environment')
        .error`${name} is sent to every browser. → Rename it without NEXT_PUBLIC_, and replace the secret, which is public.`
}

/** Whether a sign-in reads the metadata for an endpoint. */
function usesMetadata({ type, endpoints, metadataUrl }: ConfiguredProvider): boolean {
  const { authorization_endpoint, token_endpoint, userinfo_endpoint, jwks_uri } = endpoints
  const profile = userinfo_endpoint.url ?? userinfo_endpoint.request
  const last: unknown = type === 'oidc' ? jwks_uri.url : profile
  return metadataUrl !== undefined && !(authorization_endpoint.url && token_endpoint.url && last)
}

async function checkIssuer(provider: ConfiguredProvider, subject: Subject): Promise<Finding> {
  const { id, issuer, metadataUrl } = provider
  const { ok, warning, error } = topic(`issuer ${id}`)
  const url = issuer ?? metadataUrl ?? ''
  const settings = { deadline: Date.now() + TIMEOUTS.provider, secrets: createSecrets() }
  const fetcher = measured(provider.fetcher, subject)
  try {
    await discover(forRequest({ ...provider, fetcher }, settings))
    return ok`metadata of ${url} is valid.`
  } catch (cause) {
    const why = subject.quote(cause)
    const type = cause instanceof AuthError ? cause.type : undefined
    if (type === 'InvalidEndpoints') return quoted('error', `issuer ${id}`, why)
    return type === 'TemporarilyUnavailable' || cause instanceof TypeError
      ? warning`${url} is unreachable and was not checked: ${why} → Run the command in a network that reaches it. Timeout: ${TIMEOUTS.provider / 1000} seconds.`
      : error`${url} has no valid metadata: ${why} → Set issuer or wellKnown exactly as the provider documents it.`
  }
}

export function checkIssuers(subject: Subject): Promise<readonly Finding[]> {
  const used = subject.clients.filter(usesMetadata)
  return Promise.all(used.map((provider) => checkIssuer(provider, subject)))
}
