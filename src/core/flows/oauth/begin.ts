/** Starts the authorization code flow (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.1). */
import { readKeepSignedIn } from '../../checks/keep-signed-in.ts'
import { resolveReturnUrl } from '../../checks/return-to.ts'
import { createTransaction } from '../../checks/transaction.ts'
import type { Transaction } from '../../checks/transaction.ts'
import type { Context, Reply } from '../../contracts.ts'
import { randomBase64Url, sha256 } from '../../crypto/digest.ts'
import { AuthError } from '../../errors/base.ts'
import { OAuthSignInError } from '../../errors/classes.ts'
import { connectedAccount, hasParametersOfApplication } from '../../http/server-call.ts'
import { sessionSubject } from '../../checks/stored-subject.ts'
import { nodeEnv } from '../../config/variables.ts'
import type { StepUp } from '../../evidence.ts'
import { strongContexts } from './assurance.ts'
import { requireClientId } from './client-auth.ts'
import { errorDetails } from './failure.ts'
import type { OAuthProvider } from './provider.ts'
import { createState, redirectUri } from './proxy.ts'
import { findEndpoint, serverFacts } from './server.ts'

/** Parameters of the protocol, which no caller can set (RFC 9700 §2.1). */
const FIXED =
  /^(?:client_id|redirect_uri|response_(?:type|mode)|state|nonce|code_challenge(?:_method)?|request(?:_uri)?|callbackurl|csrftoken)$/i

/** Parameters that only server code may set: they choose the requested claims, permissions, the audience or the key. */
const SERVER_ONLY =
  /^(?:authorization_details|claims|id_token_hint|resource|dpop_jkt|registration)$/i

/** Client metadata that a request parameter would override at the provider (OpenID Connect Registration §2). */
const REGISTERED: Readonly<Record<string, string>> = {
  max_age: 'default_max_age',
  acr_values: 'default_acr_values',
}

function scopeUnion(...scopes: readonly string[]): string {
  return [...new Set(scopes.flatMap((scope) => scope.split(' ')))].filter(Boolean).join(' ')
}

/** Names that every server reads as they are: PHP reads a dot, a space and `[` as an underscore. */
const PLAIN_NAME = /^[\w-]+$/

/** Configured values have precedence, so that a visitor cannot weaken them. Some servers ignore the case of names. */
function addFromBrowser(url: URL, { client }: OAuthProvider, requested: URLSearchParams): void {
  for (const [sent, value] of requested) {
    const name = sent.toLowerCase()
    if (!PLAIN_NAME.test(sent) || FIXED.test(sent) || SERVER_ONLY.test(sent)) continue
    const isPresent = [...url.searchParams.keys()].some((each) => each.toLowerCase() === name)
    if (name === 'scope')
      url.searchParams.set(name, scopeUnion(url.searchParams.get(name) ?? '', value))
    else if (!isPresent && client[REGISTERED[name] ?? ''] === undefined)
      url.searchParams.set(sent, value)
  }
}

function shortestAge(values: readonly unknown[]): number | undefined {
  const seconds = values.flatMap((value) => (/^\d{1,9}$/.test(String(value)) ? Number(value) : []))
  return seconds.length > 0 ? Math.min(...seconds) : undefined
}

/** What the ID token must prove (OpenID Connect Core §3.1.2.1): as requested, but at least as configured. */
function readExpectations(
  sent: URL,
  configured: URL,
  { client }: OAuthProvider,
): Pick<Transaction, 'maxAge' | 'acrValues'> {
  const both = [sent.searchParams, configured.searchParams]
  const maxAge = shortestAge([...both.map((each) => each.get('max_age')), client.default_max_age])
  const acrValues = both.map((each) => each.get('acr_values')).find(Boolean)
  return { ...(maxAge !== undefined && { maxAge }), ...(acrValues && { acrValues }) }
}

/** Warns in development about a difference to `next-auth`: an `oauth` provider without `scope` sends none. */
function warnOfScope({ config }: Context, id: string, url: URL): void {
  if (nodeEnv() === 'development' && !url.searchParams.has('scope'))
    config.log.warnOnce(
      'oauth-no-scope',
      `Provider ${id} sends no scope. next-auth sends "openid profile email" for such a provider; to keep that, set authorization: { params: { scope: "openid profile email" } }.`,
    )
}

/** S256 (RFC 7636 §4.2), except for a provider whose module sets the method `plain` because it supports no other. */
async function codeChallenge({ endpoints }: OAuthProvider, codeVerifier: string) {
  const method = endpoints.authorization_endpoint.params?.['code_challenge_method']
  return method === 'plain'
    ? { code_challenge: codeVerifier, code_challenge_method: method }
    : { code_challenge: await sha256(codeVerifier, 'base64url'), code_challenge_method: 'S256' }
}

/** The user has to authenticate again, as required; what code of the application sets has precedence. */
function requireStepUp(url: URL, provider: OAuthProvider, { need }: StepUp): void {
  if (provider.type !== 'oidc') return
  const { level, acr } = need
  const contexts = acr ?? (level === 2 ? strongContexts(provider) : [])
  url.searchParams.set('max_age', '0')
  if (contexts.length > 0) url.searchParams.set('acr_values', contexts.join(' '))
}

interface Start {
  readonly clientId: string
  readonly stepUp: StepUp | undefined
}

async function startTransaction(
  ctx: Context,
  provider: OAuthProvider,
  { clientId, stepUp }: Start,
) {
  const { id, checks, type } = provider
  const { original, url: requested } = ctx.request
  const target = await resolveReturnUrl(ctx)
  const configured = await findEndpoint(provider, 'authorization_endpoint')
  if (type === 'oidc' && !configured.searchParams.has('scope'))
    configured.searchParams.set('scope', 'openid profile email')
  if (stepUp) requireStepUp(configured, provider, stepUp)
  const url = new URL(configured)
  if (!hasParametersOfApplication(original)) addFromBrowser(url, provider, requested.searchParams)
  else
    for (const [name, value] of requested.searchParams)
      if (!FIXED.test(name)) url.searchParams.set(name, value)
  const connect = connectedAccount(original)
  if (connect !== undefined) {
    const scopes = [configured, url].map(({ searchParams }) => searchParams.get('scope') ?? '')
    url.searchParams.set('scope', scopeUnion(...scopes))
  }
  warnOfScope(ctx, id, url)
  const server = await serverFacts(provider)
  const proofs = {
    ...(checks.has('state') && { state: await createState(ctx, provider) }),
    ...(checks.has('nonce') && { nonce: randomBase64Url() }),
  }
  const codeVerifier = checks.has('pkce') && randomBase64Url()
  const parameters = {
    response_type: 'code',
    [provider.clientIdParameter ?? 'client_id']: clientId,
    redirect_uri: redirectUri(ctx, provider),
    ...proofs,
    ...(codeVerifier && (await codeChallenge(provider, codeVerifier))),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  const subject = await sessionSubject(ctx)
  const isUnstored = subject?.isStored === false
  const transaction = {
    provider: id,
    returnTo: target,
    keepSignedIn: readKeepSignedIn(ctx),
    ...(isUnstored ? { beganUnstored: true as const } : subject && { initiatingUser: subject.id }),
    ...server,
    ...proofs,
    ...(codeVerifier && { codeVerifier }),
    ...readExpectations(url, configured, provider),
    stepUp,
    ...(connect !== undefined &&
      subject && {
        connect: {
          account: connect,
          sid: await subject.sid(),
          scope: url.searchParams.get('scope') ?? '',
        },
      }),
    ...(url.searchParams.get('prompt')?.split(' ').includes('none') && { isSilent: true as const }),
  }
  await createTransaction(ctx, transaction, { from: provider.responseFrom })
  return url
}

export async function begin(
  ctx: Context,
  provider: OAuthProvider,
  stepUp?: StepUp,
): Promise<Reply> {
  const { id } = provider
  const clientId = requireClientId(provider)
  try {
    const url = await startTransaction(ctx, provider, { clientId, stepUp })
    const { redirect_uri, scope = null } = Object.fromEntries(url.searchParams)
    const { host } = url
    ctx.config.log.debug?.('authorization request', { provider: id, host, redirect_uri, scope })
    return { status: 302, redirect: url.href }
  } catch (error) {
    if (error instanceof AuthError && error.type !== 'TemporarilyUnavailable') throw error
    const message = `The sign-in with ${id} could not be started.`
    throw new OAuthSignInError(message, errorDetails(error, id))
  }
}
