/** The checks of providers, and those that send requests: issuers, clocks of servers, and a running site. */
import { normalizeBasePath } from '../../core/http/base-path.ts'
import type { EmailConfig } from '../../core/config/email.ts'
import { needsSecret } from '../../core/config/provider-list.ts'
import { AuthError } from '../../core/errors/base.ts'
import { guardedFetch } from '../../core/flows/oauth/fetch.ts'
import { forRequest } from '../../core/flows/oauth/provider.ts'
import type { ConfiguredProvider } from '../../core/flows/oauth/provider.ts'
import { redirectUri } from '../../core/flows/oauth/proxy.ts'
import { discover } from '../../core/flows/oauth/server.ts'
import { createSecrets } from '../../core/log/secrets.ts'
import { isLoopback } from '../../core/http/origin.ts'
import { TIMEOUTS } from '../../core/async/timeout.ts'
import type { Fetch } from '../../core/types.ts'
import { providerNames } from '../../core/config/variables.ts'
import { cookiesOn, siteOrigin } from './checks.ts'
import { misspelling } from './misspelt.ts'
import { callbackUrls } from './running.ts'
import { locateVariable, quoted, topic } from './context.ts'
import type { Finding, DoctorContext } from './context.ts'

/** Texts of templates, and values with spaces around them. A name such as `my-app` is a client id of some providers. */
const PLACEHOLDER =
  /^(?:your[-_ ]|(?:your|my).*(?:id|secret|key)$|<|\.\.\.|…|x{3}|(?:change|replace)[-_ ]?(?:me|this|it|with)|placeholder$|todo$|client.?(?:id|secret)$)|^\s|\s$/i

interface ProviderSetting {
  readonly id: string
  readonly setting: Parameters<typeof providerNames>[1]
  readonly value: string | undefined
}

/** A setting that a variable can contain. `source` ends the advice what to set the variable to. */
function* checkSetting(
  { id, setting, value }: ProviderSetting,
  { effect = '', source }: { readonly effect?: string; readonly source: string },
  context: DoctorContext,
): Generator<Finding> {
  const { error } = topic(`provider ${id}`)
  const names = providerNames(id, setting)
  const advice = `Set ${names[0]} to ${source}.`
  const found = value ? undefined : misspelling(names, context)
  if (found !== undefined)
    yield error`${setting} is missing, and ${locateVariable(found, context)} is not read. → Did you mean ${names[0]}?`
  else if (!value) yield error`${setting} is missing${effect}. → ${advice}`
  else if (PLACEHOLDER.test(value))
    yield error`${setting} is a placeholder, or starts or ends with a space. → ${advice}`
}

function* checkClient(provider: ConfiguredProvider, context: DoctorContext): Generator<Finding> {
  const { id, name } = provider
  const { env, url } = context
  const basePath = normalizeBasePath(url?.pathname ?? '') || context.basePath
  const uri = redirectUri({ origin: siteOrigin(context), config: { basePath } }, provider)
  const settings = (['clientId', 'clientSecret'] as const).map((setting) => ({
    id,
    setting,
    value: provider[setting],
  }))
  const variables = settings.flatMap(({ setting, value }) =>
    providerNames(id, setting).filter((each) => value && env[each] === value),
  )
  const [first, ...rest] = settings
    .filter(({ setting }) => setting === 'clientId' || needsSecret(provider))
    .flatMap((each) =>
      Array.from(checkSetting(each, { source: `the value from ${name}` }, context)),
    )
  const from = variables.length > 0 ? `client from ${variables.join(' and ')}; ` : ''
  if (first) yield { ...first, write: `${first.write ?? ''} Callback URL to register: ${uri}` }
  else yield topic(`provider ${id}`).ok`${from}callback URL to register: ${uri}`
  yield* rest
}

/** The API key of a mail service, which is first needed when a mail is sent. */
function* checkMailService(
  { id, apiKey }: EmailConfig,
  context: DoctorContext,
): Generator<Finding> {
  if (apiKey === undefined) return
  const texts = { effect: ', so no mail can be sent', source: 'the API key of the mail service' }
  const problems = [...checkSetting({ id, setting: 'apiKey', value: apiKey }, texts, context)]
  if (problems.length === 0) yield topic(`provider ${id}`).ok`apiKey is set.`
  yield* problems
}

export function* checkProviders(context: DoctorContext): Generator<Finding> {
  const { given, clients, env } = context
  const list: unknown = given?.providers ?? []
  // An invalid list is reported by the validation.
  if (given && Array.isArray(list) && list.length === 0)
    yield topic('providers')
      .error`the list is ${given.providers ? 'empty' : 'missing'}, so no user can sign in. → Add one: import GitHub from 'lib-auth/providers/github', then providers: [GitHub].`
  for (const provider of clients) yield* checkClient(provider, context)
  for (const provider of context.providers)
    if (provider.type === 'email') yield* checkMailService(provider, context)
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

async function checkIssuer(provider: ConfiguredProvider, context: DoctorContext): Promise<Finding> {
  const { id, issuer, metadataUrl } = provider
  const { ok, warning, error } = topic(`issuer ${id}`)
  const url = issuer ?? metadataUrl ?? ''
  const settings = { deadline: performance.now() + TIMEOUTS.provider, secrets: createSecrets() }
  const fetcher = measured(provider.fetcher, context)
  try {
    await discover(forRequest({ ...provider, fetcher }, settings))
    return ok`metadata of ${url} is valid.`
  } catch (cause) {
    const why = context.quote(cause)
    const type = cause instanceof AuthError ? cause.type : undefined
    if (type === 'InvalidEndpoints') return quoted('error', `issuer ${id}`, why)
    return type === 'TemporarilyUnavailable' || cause instanceof TypeError
      ? warning`${url} is unreachable and was not checked: ${why} → Run the command in a network that reaches it. Timeout: ${TIMEOUTS.provider / 1000} seconds.`
      : error`${url} has no valid metadata: ${why} → Set issuer or wellKnown exactly as the provider documents it.`
  }
}

export async function* checkIssuers(context: DoctorContext): AsyncGenerator<Finding> {
  const used = context.clients.filter(usesMetadata)
  yield* await Promise.all(used.map((provider) => checkIssuer(provider, context)))
}

const site = topic('site')

/** A reserved host (RFC 6761 §6.4). */
const RESERVED_HOST = 'doctor.invalid'
const CHECK_SERVER = 'Check which server or proxy answers at this path.'

interface Answer {
  readonly url: URL
  readonly headers: Headers
  readonly json: unknown
}

function isAnswer(found: Answer | Finding): found is Answer {
  return 'json' in found
}

function explain({ href, origin, pathname }: URL, { status, headers }: Response): Finding {
  const location = headers.get('location')
  if (location !== null && URL.canParse(location, href)) {
    const target = new URL(location, href)
    return site.error`${href} redirects to ${target.origin}${target.pathname}. → If that is the site, check it: --url ${target.origin}. Otherwise exclude ${pathname} from the redirect, for example in the matcher of the proxy.`
  }
  const basePath = pathname.replace(/\/\w+$/, '')
  const protectedPath = `A proxy or middleware protects it: exclude ${pathname}, for example in its matcher.`
  const advice: Readonly<Record<number, string>> = {
    400: `It rejects the host: set AUTH_URL=${origin} on the server. Its log names the header and the host.`,
    401: protectedPath,
    403: protectedPath,
    404: `With Next.js, create app${basePath}/[...auth]/route.ts with export const { GET, POST } = handlers. For another base path: --url ${origin}/path`,
    500: 'See the log of the server. Often a variable such as AUTH_SECRET is not set there.',
  }
  return site.error`${href} responds with status ${status}. → ${advice[status] ?? CHECK_SERVER}`
}

/** Requests a URL without following redirects. */
async function ask(
  url: URL,
  context: DoctorContext,
  headers: HeadersInit,
): Promise<Answer | Finding> {
  const fetcher = guardedFetch(measured(globalThis.fetch, context), { http: 'any' })
  try {
    const response = await fetcher(url, { headers })
    if (response.status !== 200) return explain(url, response)
    return { url, headers: response.headers, json: JSON.parse(await response.text()) }
  } catch (cause) {
    return cause instanceof SyntaxError
      ? site.error`${url.href} does not return JSON. → ${CHECK_SERVER}`
      : site.error`${url.href} is unreachable: ${context.quote(cause)} → Check that the site is running and reachable from this machine. Timeout: ${TIMEOUTS.provider / 1000} seconds.`
  }
}

/** Personal responses must not be stored by shared caches (RFC 9111 §5.2.2.5). */
function* checkCaching({ url, headers }: Answer): Generator<Finding> {
  const control = headers.get('cache-control') ?? 'no Cache-Control'
  const isCached = headers.has('age') || /\bhit\b/i.test(headers.get('x-cache') ?? '')
  if (isCached || !/\bno-store\b/.test(control))
    yield site.error`${url.href} ${isCached ? 'comes from a cache' : 'may be cached'} (${control}), so users may receive responses of other users. → Have the CDN or proxy keep Cache-Control: private, no-store, and cache nothing below this path.`
}

function* checkCookie({ url, headers }: Answer, context: DoctorContext): Generator<Finding> {
  const { name } = cookiesOn(url.origin, context).csrfToken
  const cookies = headers.getSetCookie()
  const cookie = cookies.find((each) => each.startsWith(`${name}=`) || /^[^=]*csrf/i.test(each))
  const proxy = 'Have the proxy in front of the site leave Set-Cookie unchanged.'
  if (cookie === undefined)
    yield site.error`${url.href} sets no cookie, so every form is rejected. → ${proxy}`
  else if (url.protocol === 'https:' && !/; *secure\b/i.test(cookie))
    yield site.error`its cookies are not Secure on https: the site assumes http. → Set AUTH_URL=${url.origin} on the server, or have the proxy in front of it send X-Forwarded-Proto: https.`
  else if (!/; *httponly\b/i.test(cookie) || !/; *samesite=(?:lax|strict)\b/i.test(cookie))
    yield site.error`its cookies are not HttpOnly, or are sent with cross-site requests. → ${proxy}`
  else if (url.protocol === 'http:' && !isLoopback(url.hostname))
    yield site.warning`${url.origin} is not https: sessions can be stolen in transit. → Serve it over https, and set AUTH_URL to the https URL.`
  else yield site.ok`cookie ${cookie.slice(0, cookie.indexOf('='))} arrives with all attributes.`
}

/** Requests that do not depend on each other are sent in parallel. */
export async function* checkSite(context: DoctorContext): AsyncGenerator<Finding> {
  const { url, given, basePath } = context
  if (!url) return
  const { origin, host, hostname } = url
  const path = normalizeBasePath(url.pathname)
  const usual = given ? [basePath] : [basePath, '/auth']
  const paths = path === '' ? usual : [path]
  const at = (route: string, headers = {}) => ask(new URL(route, origin), context, headers)
  const asked = await Promise.all(paths.map((each) => at(`${each}/providers`)))
  const found = Math.max(0, asked.findIndex(isAnswer))
  const [base, providers] = [paths[found], asked[found]]
  if (!providers) return
  if (!isAnswer(providers)) return yield providers
  const urls = callbackUrls(providers.json)
  if (urls.length === 0)
    return yield site.error`${providers.url.href} lists no providers, or another program answers. → ${CHECK_SERVER}`
  const other = urls.find((each) => each.origin !== origin)
  // A random URL, so that a cache cannot serve the forged host to other visitors.
  const probe = `${base}/providers?doctor=${crypto.randomUUID()}`
  const [csrf, session, forged] = await Promise.all([
    at(`${base}/csrf`),
    at(`${base}/session`),
    isLoopback(hostname) ? providers : at(probe, { 'x-forwarded-host': RESERVED_HOST }),
  ])
  yield site.ok`${origin} answers below ${base || '/'}.`
  if (other)
    yield site.error`asked as ${origin}, it uses the origin ${other.origin} in callback URLs. → Set AUTH_URL=${origin} on the server, or have the proxy in front of it send ${other.host === host ? 'X-Forwarded-Proto: https' : `X-Forwarded-Host: ${host}`}.`
  if (isAnswer(forged) && callbackUrls(forged.json).some((each) => each.host === RESERVED_HOST))
    yield site.error`it trusts an X-Forwarded-Host header of the client (host header injection): an attacker can redirect magic links to another host. → Set AUTH_URL to its public URL on the server.`
  for (const each of [csrf, session])
    if (isAnswer(each)) yield* checkCaching(each)
    else yield each
  if (isAnswer(csrf)) yield* checkCookie(csrf, context)
  if (isAnswer(session) && session.json !== null)
    yield site.error`${session.url.href} returns a session to a visitor without cookies. → Remove any cache in front of this path.`
}

/** Seconds by which the clocks may differ: ID tokens issued further in the future are rejected. */
const CLOCK_TOLERANCE = 60

/** Notes by how many seconds this machine is ahead of the server of each response. */
function measured(fetcher: Fetch, { offsets }: DoctorContext): Fetch {
  return async (input, init) => {
    const response = await fetcher(input, init)
    const date = Date.parse(response.headers.get('date') ?? '')
    const age = Number(response.headers.get('age') ?? 0)
    const { host } = new URL(input instanceof Request ? input.url : input)
    if (!Number.isNaN(date)) offsets.set(host, Math.round((Date.now() - date) / 1000 - age))
    return response
  }
}

export function* checkClock({ offsets }: DoctorContext): Generator<Finding> {
  for (const [host, ahead] of offsets)
    if (Math.abs(ahead) > CLOCK_TOLERANCE)
      yield topic('clock')
        .error`this machine is ${Math.abs(ahead)} seconds ${ahead > 0 ? 'ahead of' : 'behind'} ${host}; sign-ins fail above ${CLOCK_TOLERANCE} seconds. → Set the clock that is wrong, on Linux: timedatectl set-ntp true`
}
