import type { AuthorizationServer, Client } from 'oauth4webapi'
import { returnTo } from '../../checks/return-to.ts'
import { transactions } from '../../checks/transaction.ts'
import type { Transaction } from '../../checks/transaction.ts'
import type { Context, Reply } from '../../contracts.ts'
import type { Evidence } from '../../evidence.ts'
import { InvalidCheck } from '../../errors/sign-in.ts'
import { sentFrom } from './begin.ts'
import { exchange } from './exchange.ts'
import { orCallbackError } from './failure.ts'
import { setParameters } from './parameters.ts'
import { identify } from './profile.ts'
import type { OAuthProvider } from './provider.ts'
import { deploymentOf, isOwnState, redirectUri } from './proxy.ts'
import { forward, read, refuseStrange, validate } from './response.ts'
import { configured, discover, endpointOf, NO_ISSUER } from './server.ts'

/** Parameters whose presence the debug log reports; their values are secret. */
const REPORTED = ['code', 'error', 'iss', 'state']

type Recovered = { readonly transaction: Partial<Transaction> } | { readonly reply: Reply }

async function recover(
  ctx: Context,
  provider: OAuthProvider,
  parameters: URLSearchParams,
): Promise<Recovered> {
  const { id, checks, responseMode } = provider
  const state = checks.has('state') ? (parameters.get('state') ?? '') : undefined
  const use = await transactions.use(ctx, { provider: id, state, from: sentFrom(responseMode) })
  if (use.outcome === 'found') return { transaction: use.transaction }
  if (checks.size === 0) return { transaction: {} }
  // A signed-in user has reloaded the callback URL or navigated back to it, so the sign-in is already complete.
  if (isOwnState(ctx, provider, state) && (await ctx.config.session.subject(ctx)) !== null)
    return { reply: { status: 302, redirect: use.returnTo ?? (await returnTo(ctx)) } }
  throw new InvalidCheck(
    'No authorization transaction matches this response: it expired, was already used, or belongs to another browser.',
    { provider: id },
  )
}

/** Metadata that the checks require; discovery runs only if the JWK Set URL is not configured. */
async function serverOf(
  provider: OAuthProvider,
  { tokenEndpoint, issuer, namesIssuer }: Partial<Transaction>,
): Promise<AuthorizationServer> {
  const needsKeys = provider.type === 'oidc' && !configured(provider, 'jwks_uri')
  const metadata = needsKeys ? await discover(provider) : null
  const url = new URL(tokenEndpoint ?? (await endpointOf(provider, 'token_endpoint')))
  setParameters(url, provider.endpoints.token.params)
  return {
    authorization_response_iss_parameter_supported: namesIssuer ?? false,
    ...metadata,
    issuer: metadata?.issuer ?? issuer ?? provider.issuer ?? NO_ISSUER,
    token_endpoint: url.href,
  }
}

function clientOf({ clientId = '', client }: OAuthProvider): Client {
  return { ...client, client_id: clientId }
}

export async function complete(ctx: Context, provider: OAuthProvider): Promise<Evidence | Reply> {
  const { method, url } = ctx.request
  const { log } = ctx.config
  const { id } = provider
  const parameters = await read(ctx)
  const has = (name: string) => parameters.has(name)
  log.debug?.('authorization response', { provider: id, parameters: REPORTED.filter(has) })
  const deployment = await deploymentOf(ctx, provider, parameters.get('state'))
  if (method === 'POST') return forward(ctx, parameters, deployment)
  if (deployment !== null) return { status: 302, redirect: deployment + url.search }
  const recovered = await recover(ctx, provider, parameters)
  if ('reply' in recovered) return recovered.reply
  refuseStrange(parameters)
  const { transaction } = recovered
  const unknown = `The metadata of provider ${id} could not be read.`
  const server = await orCallbackError(id, unknown, () => serverOf(provider, transaction))
  const client = clientOf(provider)
  const { state } = transaction
  const known = { server, client, redirectUri: redirectUri(ctx, provider) }
  const response = await validate(provider, parameters, { ...known, state })
  const exchanged = await exchange(provider, { ...known, response, transaction })
  log.debug?.('code exchanged', { provider: id, host: new URL(server.token_endpoint ?? '').host })
  const { claims } = exchanged
  if (claims) log.debug?.('ID token validated', { provider: id, issuer: claims.iss })
  const identity = await identify(ctx, provider, { server, client, ...exchanged })
  const { user, emailVerified } = identity
  log.debug?.('profile mapped', { provider: id, user: Object.keys(user), emailVerified })
  return {
    proves: 'account',
    ...identity,
    startedBy: transaction.startedBy ?? null,
    trustsEmail: provider.trustsEmail,
    returnTo: transaction.returnTo ?? (await returnTo(ctx)),
  }
}
