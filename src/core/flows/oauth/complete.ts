/** Completes the authorization code flow (RFC 6749 §4.1.2, RFC 9207). */
import { AuthorizationResponseError, skipStateCheck, validateAuthResponse } from 'oauth4webapi'
import type { AuthorizationServer } from 'oauth4webapi'
import { redirectUrl, resolveReturnUrl } from '../../checks/return-to.ts'
import { hasTransaction, redeemTransaction } from '../../checks/transaction.ts'
import type { Transaction, TransactionKey } from '../../checks/transaction.ts'
import type { Context, Evidence, Reply } from '../../contracts.ts'
import { open, seal } from '../../crypto/seal.ts'
import { InvalidCheck, InvalidRequest, OAuthCallbackError } from '../../errors/classes.ts'
import { noteStepUp } from '../../errors/failed-step-up.ts'
import { asRecord, parseJsonObject } from '../../is-record.ts'
import { limitFailures } from '../../limits/consume.ts'
import { postedUser } from '../../symbols.ts'
import { readAssurance } from './assurance.ts'
import { exchangeCode } from './exchange.ts'
import { orCallbackError, rejectClientError, rejectDeclined } from './failure.ts'
import { identify } from './profile.ts'
import type { OAuthProvider, SignInParties } from './provider.ts'
import { findDeployment, isOwnState, redirectUri } from './proxy.ts'
import { discover, findEndpoint, NO_ISSUER, validateIssuer } from './server.ts'

/** Parameters whose presence the debug log reports; their values are secret. */
const REPORTED = ['code', 'error', 'iss', 'state']

const FORM_KEY = { salt: 'lib.form-post', family: 'internal' } as const
/** Seconds between the form post of the provider and the redirected request. */
const FORM_POST_MAX_AGE = 60

/** Maximum lengths of untrusted parameters. */
const LIMITS: Readonly<Record<string, number>> = {
  code: 4096,
  state: 1024,
  iss: 512,
  error: 64,
  user: 4096,
}

/** Parameters of other flows; tokens in a query leak through logs and the Referer header (RFC 9700 §2.1.2). */
const FOREIGN = ['access_token', 'id_token', 'token', 'response']

function rejectLong(parameters: URLSearchParams): void {
  for (const [name, limit] of Object.entries(LIMITS))
    if ((parameters.get(name)?.length ?? 0) > limit)
      throw new InvalidRequest(`The parameter "${name}" exceeds ${limit} characters.`)
}

function formParameters(fields: Readonly<Record<string, unknown>>): URLSearchParams {
  const isText = (entry: [string, unknown]): entry is [string, string] =>
    typeof entry[1] === 'string' && entry[0] !== 'id_token'
  // The ID token is read from the token endpoint; a second one would only make the URL longer.
  return new URLSearchParams(Object.entries(fields).filter(isText))
}

/** Returns the parameters of the response; empty if a forwarded form has expired. */
async function readResponse({ request, config }: Context): Promise<URLSearchParams> {
  if (request.method === 'POST') return formParameters(request.body)
  const form = request.url.searchParams.get('form')
  if (form === null) return new URLSearchParams(request.url.searchParams)
  const secrets = [...config.secrets, ...config.proxySecrets]
  return formParameters((await open(form, { secrets, ...FORM_KEY })) ?? {})
}

/** Redirects a form post with sealed parameters: browsers send SameSite cookies only with the redirected request. */
async function forwardForm(
  ctx: Context,
  parameters: URLSearchParams,
  deployment: string | null,
): Promise<Reply> {
  rejectLong(parameters)
  // Another deployment can open only what is sealed with the shared proxy secrets.
  const secrets = deployment === null ? ctx.config.secrets : ctx.config.proxySecrets
  const sealing = { secrets, ...FORM_KEY, maxAge: FORM_POST_MAX_AGE }
  const form = await seal(Object.fromEntries(parameters), sealing)
  const target = deployment ?? ctx.origin + new URL(ctx.request.original.url).pathname
  return { status: 303, redirect: `${target}?form=${form}` }
}

function transactionKey(
  { id, checks, responseFrom }: OAuthProvider,
  parameters: URLSearchParams,
): TransactionKey {
  const state = checks.has('state') ? (parameters.get('state') ?? '') : undefined
  return { provider: id, state, from: responseFrom }
}

/** Returns the transaction, or a redirect if the sign-in is already complete. */
async function useTransaction(
  ctx: Context,
  provider: OAuthProvider,
  key: TransactionKey,
): Promise<Partial<Transaction> | Reply> {
  const { id, checks } = provider
  const { state } = key
  const used = await redeemTransaction(ctx, key)
  if (used.transaction) return used.transaction
  if (checks.size === 0) return {}
  if (!isOwnState(ctx, provider, state))
    throw new InvalidCheck(
      'This redirect proxy cannot open the state: it has expired, or the deployment that began the sign-in has another secret. Set AUTH_REDIRECT_PROXY_SECRET (default: AUTH_SECRET) to the same value on both.',
      { provider: id },
    )
  // A signed-in user has reloaded the callback URL or navigated back to it, so the sign-in is already complete.
  if ((await ctx.config.session.subject(ctx)) !== null) {
    const { usedReturnTo } = used
    // Checked again: another configuration may have used the state.
    const url = usedReturnTo === undefined ? resolveReturnUrl(ctx) : redirectUrl(ctx, usedReturnTo)
    return { status: 302, redirect: await url }
  }
  throw new InvalidCheck(
    'No authorization transaction matches this response: it expired, was already used, or belongs to another browser.',
    { provider: id, isReplay: used.isReplay },
  )
}

function rejectMalformed(parameters: URLSearchParams): void {
  rejectLong(parameters)
  for (const name of FOREIGN)
    if (parameters.has(name))
      throw new OAuthCallbackError(
        `The authorization response contains ${name}, which the authorization code flow does not use.`,
      )
}

/** Metadata that the checks require; discovery runs only if the JWK Set URL is not configured. */
async function findServer(
  provider: OAuthProvider,
  { tokenEndpoint, issuer, namesIssuer }: Partial<Transaction>,
): Promise<AuthorizationServer> {
  const needsKeys = provider.type === 'oidc' && !provider.endpoints.jwks_uri.url
  const metadata = needsKeys ? await discover(provider) : null
  return {
    authorization_response_iss_parameter_supported: namesIssuer ?? false,
    ...metadata,
    issuer: metadata?.issuer ?? issuer ?? provider.issuer ?? NO_ISSUER,
    token_endpoint: tokenEndpoint ?? (await findEndpoint(provider, 'token_endpoint')).href,
  }
}

/** Validates issuer (RFC 9207 §2.4) and state, and rejects an error response with OAuthCallbackError. */
async function validateResponse(
  parties: SignInParties,
  parameters: URLSearchParams,
  { state, isSilent }: Partial<Transaction>,
): Promise<URLSearchParams> {
  const { provider, server, client } = parties
  const checked = new URLSearchParams(parameters)
  // Without a configured or discovered issuer, `iss` cannot be validated.
  if (server.issuer === NO_ISSUER) checked.delete('iss')
  const failed = `Provider ${provider.id} rejected the sign-in, or its authorization response is invalid.`
  return orCallbackError(provider.id, failed, () => {
    const issuer = validateIssuer(provider, server, { iss: checked.get('iss') })
    try {
      return validateAuthResponse({ ...server, issuer }, client, checked, state ?? skipStateCheck)
    } catch (error) {
      if (error instanceof AuthorizationResponseError) {
        rejectClientError(provider, error, parties.redirectUri)
        rejectDeclined(provider, error, isSilent === true)
      }
      throw error
    }
  })
}

/** The user that Apple posts with the first authorization response: `{ name, email }`, not signed. */
function readPostedUser(provider: OAuthProvider, ctx: Context, parameters: URLSearchParams) {
  const isPosted = ctx.request.url.searchParams.has('form')
  return provider[postedUser] && isPosted ? parseJsonObject(parameters.get('user') ?? '') : null
}

async function redeemResponse(
  ctx: Context,
  provider: OAuthProvider,
  { parameters, key }: { readonly parameters: URLSearchParams; readonly key: TransactionKey },
): Promise<Evidence | Reply> {
  const transaction = await useTransaction(ctx, provider, key)
  if ('status' in transaction) return transaction
  try {
    return await completeTransaction(ctx, provider, { parameters, transaction })
  } catch (error) {
    const { stepUp, returnTo = ctx.origin } = transaction
    if (stepUp && error instanceof Error) noteStepUp(error, stepUp, returnTo)
    throw error
  }
}

interface Redeemed {
  readonly parameters: URLSearchParams
  readonly transaction: Partial<Transaction>
}

async function completeTransaction(
  ctx: Context,
  provider: OAuthProvider,
  { parameters, transaction }: Redeemed,
): Promise<Evidence | Reply> {
  const { log } = ctx.config
  const { id } = provider
  rejectMalformed(parameters)
  const unreadable = `The metadata of provider ${id} could not be read.`
  const server = await orCallbackError(id, unreadable, () => findServer(provider, transaction))
  const client = { ...provider.client, client_id: provider.clientId ?? '' }
  const party = { ctx, provider, server, client, redirectUri: redirectUri(ctx, provider) }
  let response: URLSearchParams
  try {
    response = await validateResponse(party, parameters, transaction)
  } catch (error) {
    const { isDeclined } = asRecord(error instanceof OAuthCallbackError ? error.cause : undefined)
    if (!transaction.connect || isDeclined !== true) throw error
    // The tokens stay as they are.
    const target = new URL(transaction.returnTo ?? ctx.origin)
    target.searchParams.set('error', 'AccessDenied')
    return { status: 302, redirect: target.href }
  }
  const exchanged = await exchangeCode(party, response, transaction)
  log.debug?.('code exchanged', { provider: id, host: new URL(server.token_endpoint ?? '').host })
  const { claims } = exchanged
  if (claims) log.debug?.('ID token validated', { provider: id, issuer: claims.iss })
  const posted = readPostedUser(provider, ctx, parameters)
  const identity = await identify(party, { ...exchanged, user: posted })
  const { user, emailVerified } = identity
  log.debug?.('profile mapped', { provider: id, user: Object.keys(user), emailVerified })
  return {
    proves: 'account',
    ...identity,
    initiatingUser: transaction.initiatingUser ?? null,
    keepSignedIn: transaction.keepSignedIn,
    beganUnstored: transaction.beganUnstored === true,
    connect: transaction.connect,
    stepUp: transaction.stepUp,
    assurance: claims && readAssurance(provider, claims, transaction),
    trustsEmail: provider.allowDangerousEmailAccountLinking === true,
    returnTo: transaction.returnTo ?? (await resolveReturnUrl(ctx)),
  }
}

export async function complete(ctx: Context, provider: OAuthProvider): Promise<Evidence | Reply> {
  const { request } = ctx
  const { id, checks } = provider
  const parameters = await readResponse(ctx)
  const has = (name: string) => parameters.has(name)
  const reported = { provider: id, parameters: REPORTED.filter(has) }
  ctx.config.log.debug?.('authorization response', reported)
  const deployment = await findDeployment(ctx, provider, parameters.get('state'))
  if (request.method === 'POST') return forwardForm(ctx, parameters, deployment)
  if (deployment !== null) return { status: 302, redirect: deployment + request.url.search }
  const key = transactionKey(provider, parameters)
  const work = () => redeemResponse(ctx, provider, { parameters, key })
  // Without a transaction there is nothing to guess. Other sites can cause such requests, for example with an image, and
  // would otherwise exhaust the limit of their visitors.
  const hasLimit = ctx.config.protection?.clientAddress !== undefined
  const isGuess = hasLimit && (checks.size === 0 || (await hasTransaction(ctx, key)))
  return isGuess ? limitFailures(ctx, 'callback', work) : work()
}
