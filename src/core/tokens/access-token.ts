/** The access token of a provider for the user who is signed in, refreshed when it is due. */
import { chain } from '../async/awaitable.ts'
import type { SessionContext } from '../contracts.ts'
import { AccessTokenError, AccessTokenUnavailable, AdapterError } from '../errors/classes.ts'
import { emit } from '../hooks.ts'
import type { Awaitable } from '../types.ts'
import type { AccessToken, AccessTokenOptions } from './options.ts'
import { isValidFor, listScopes } from './stored-tokens.ts'
import type { StoredTokens } from './stored-tokens.ts'
import { refreshOnce } from './refresh-once.ts'
import type { Refreshed } from './refresh-outcome.ts'
import { openSessionVault, tokenIssuer } from './open-vault.ts'
import type { OpenedVault, TokenCall } from './open-vault.ts'
import { userVault } from './vault.ts'
import type { TokenVault } from './token-vault.ts'

/** In seconds. */
const REFRESH_BEFORE = 60
const GRACE = 60

function toResult(tokens: StoredTokens): AccessToken {
  const { access_token = '', expires_at, id_token, token_type } = tokens
  return {
    accessToken: access_token,
    expiresAt: expires_at === undefined ? null : new Date(expires_at * 1000),
    scope: listScopes(tokens),
    // In lower case, as `oauth4webapi` returns it; the name of the scheme ignores case (RFC 9110 §11.1).
    tokenType: !token_type || /^bearer$/i.test(token_type) ? 'Bearer' : token_type,
    idToken: id_token ?? null,
  }
}

function checkScope(provider: string, tokens: StoredTokens, scope: readonly string[]): void {
  if (scope.length === 0) return
  // Without a scope, the provider granted what was requested (RFC 6749 §5.1).
  if (tokens.scope === undefined) return
  const granted = new Set(listScopes(tokens))
  const missing = scope.filter((each) => !granted.has(each))
  if (missing.length > 0)
    throw new AccessTokenError(
      `The user has not granted ${missing.join(' ')} at provider ${provider}. Request it: requestScopes('${provider}', ${JSON.stringify(missing)}).`,
      { code: 'scope', provider, missing },
    )
}

function reconnect(provider: string, reason: string): AccessTokenError {
  return new AccessTokenError(
    `${reason} The user has to connect the account again: signIn('${provider}').`,
    { code: 'reconnect', provider },
  )
}

function notConnected(provider: string, { isOfSession }: TokenVault): AccessTokenError {
  const reason = isOfSession
    ? `No tokens of provider ${provider} are stored for this session, for example because it began at another provider, or before the option tokens was set.`
    : `The user has not connected an account of provider ${provider}.`
  return new AccessTokenError(`${reason} Connect it: signIn('${provider}').`, {
    code: 'not_connected',
    provider,
  })
}

interface DueToken extends OpenedVault {
  readonly tokens: StoredTokens
}

async function auditLoss({ ctx, headers, id, tokens }: DueToken): Promise<void> {
  const { config, deadline } = ctx
  const session = await config.session.identify(ctx)
  await config.audit?.record(
    { config, deadline, request: { headers } },
    {
      type: 'token.lost',
      outcome: 'failure',
      actor: { kind: 'application' },
      target: { kind: 'account', id: tokens.providerAccountId },
      provider: id,
      session,
    },
  )
}

type Refused = Extract<Refreshed, { readonly kind: 'refused' }>

/** The provider no longer accepts the refresh token. */
async function loseGrant(due: DueToken, refusal: Refused): Promise<never> {
  const { ctx, id, vault, tokens, userId, subject } = due
  await vault.remove(tokens)
  // Calls that wait for the same request, and browsers that keep the cookie, receive the same refusal.
  if (!refusal.isReported) {
    refusal.isReported = true
    ctx.config.log.debug?.('grant lost', { provider: id })
    await emit(ctx, 'tokenRefreshFailed', { userId, provider: id, reason: 'reconnect' })
    await auditLoss(due)
  }
  const { session } = ctx.config
  const isOwn = vault.isOfSession && subject?.facts()?.via === id
  const { onLostGrant = isOwn ? 'end' : 'keep' } = ctx.config.tokens
  // Without a request, no session is found.
  if (onLostGrant === 'end' && session.isRevocable) await session.destroy(ctx)
  throw reconnect(
    id,
    `The provider ${id} no longer accepts the refresh token: it has expired or was revoked.`,
  )
}

/** Why new tokens could not be stored: then the refresh token, which may be for one use, must not be sent. */
async function findObstacle(due: DueToken): Promise<{ readonly err?: unknown } | undefined> {
  const { ctx, vault, tokens, isPreview, setCookies } = due
  if (isPreview()) return {}
  if (!vault.probe) return undefined
  try {
    // Not the tokens: if this request is too late for a refresh, it must not replace those of the one that was not.
    await vault.probe(tokens)
    setCookies(ctx.jar.changes())
    return undefined
  } catch (err) {
    return { err }
  }
}

async function refresh(due: DueToken, validFor: number): Promise<StoredTokens> {
  const { ctx, id, issuer, vault, tokens } = due
  const { grace = GRACE } = ctx.config.tokens
  if (tokens.refresh_token === undefined)
    throw reconnect(
      id,
      `The access token of provider ${id} cannot be refreshed, because the provider has issued no refresh token. How to request one: node_modules/lib-auth/docs/providers.`,
    )
  const obstacle = await findObstacle(due)
  if (obstacle) {
    if (isValidFor(tokens, 0)) return tokens
    throw new AccessTokenError(
      `The access token of provider ${id} has expired, and a new one could not be stored: cookies cannot be set while a page is rendered, after the response has begun, or for a prefetch or HEAD. Call getAccessToken in a route handler or an action, refresh it before the page with tokens: { refreshInProxy: ['${id}'] } (Next.js), or store the tokens on the server: set store or adapter.`,
      { code: 'read_only', provider: id, ...obstacle },
    )
  }
  const outcome = await refreshOnce(
    {
      ctx,
      vault,
      tokens,
      issuedBy: issuer.issuedBy,
      grace,
      send: (current) => issuer.refresh(ctx, current),
    },
    validFor,
  )
  if (outcome.kind === 'refreshed') return outcome.tokens
  // Without a shared vault, another process may have refreshed, whose cookie has not arrived yet.
  if (outcome.kind === 'refused' && (vault.isShared || Date.now() > outcome.since + grace * 1000))
    return loseGrant(due, outcome)
  if (isValidFor(tokens, 0)) return tokens
  const error =
    outcome.kind === 'unavailable'
      ? outcome.error
      : new Error(
          `The provider has refused the refresh token, perhaps because another process has used it. If no newer cookie arrives in ${grace} seconds, the user has to connect the account again.`,
        )
  if (outcome.kind === 'unavailable' && outcome.isMisconfigured) ctx.config.log.error(outcome.error)
  throw new AccessTokenUnavailable(
    `The access token of provider ${id} has expired and could not be refreshed.`,
    { cause: error, provider: id },
  )
}

/** Synchronous if the tokens are valid for long enough. */
function validToken(
  opened: OpenedVault,
  tokens: StoredTokens | null,
  { scope = [], minValidity, refresh: when = 'when-due' }: AccessTokenOptions,
): Awaitable<AccessToken> {
  const { ctx, id, vault } = opened
  if (!tokens) throw notConnected(id, vault)
  if (tokens.access_token === undefined && tokens.refresh_token === undefined)
    throw reconnect(id, `No token of provider ${id} is stored.`)
  ctx.secrets.add([tokens.access_token, tokens.refresh_token, tokens.id_token])
  checkScope(id, tokens, scope)
  const validFor = minValidity ?? ctx.config.tokens.refreshBefore ?? REFRESH_BEFORE
  // Without a refresh token, nothing can be refreshed: the access token serves until it expires.
  const isEnough = tokens.refresh_token === undefined ? 0 : validFor
  if (when === 'when-due' && isValidFor(tokens, isEnough)) return toResult(tokens)
  return refresh({ ...opened, tokens }, validFor).then((refreshed) => {
    // The provider may have reduced the scope.
    checkScope(id, refreshed, scope)
    return toResult(refreshed)
  })
}

function readToken(opened: OpenedVault, options: AccessTokenOptions): Awaitable<AccessToken> {
  return chain(opened.vault.read(), (tokens) => validToken(opened, tokens, options))
}

/** An outage of the database or the store ends like one of the provider: the call can be repeated. */
async function orUnavailable<T>(id: string, work: () => Awaitable<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (!(cause instanceof AdapterError)) throw cause
    const message = `The tokens of provider ${id} could not be read or stored.`
    throw new AccessTokenUnavailable(message, { cause, provider: id })
  }
}

/** The token of the user who is signed in. @throws AccessTokenError, AccessTokenUnavailable, InvalidConfiguration */
export function findAccessToken(
  call: TokenCall,
  id: string,
  options: AccessTokenOptions,
): Promise<AccessToken> {
  return orUnavailable(id, () =>
    chain(openSessionVault(call, id, options.account), (opened) => readToken(opened, options)),
  )
}

/** Without a response. */
function programCall(ctx: SessionContext): TokenCall {
  return { ctx, headers: new Headers(), isPreview: () => false, setCookies: () => undefined }
}

/** The token of any user, for code without a request. @throws the errors of {@link findAccessToken} */
export async function findTokenOfUser(
  ctx: SessionContext,
  { userId, provider: id }: { readonly userId: string; readonly provider: string },
  options: AccessTokenOptions,
): Promise<AccessToken> {
  const issuer = tokenIssuer(ctx, id)
  const call = { ...programCall(ctx), id, issuer, userId }
  return orUnavailable(id, async () => {
    const vault = await userVault(ctx, { userId, provider: id, account: options.account })
    return readToken({ ...call, subject: undefined, vault }, options)
  })
}

/** What the user has granted. */
export interface Grant {
  /** The id of the account at the provider. */
  readonly account: string
  readonly scope: readonly string[]
}

/** The account for which scopes can be requested, and the scopes that it has. @throws AccessTokenError */
export async function connectedGrant(
  ctx: SessionContext,
  id: string,
  account: string | undefined,
): Promise<Grant> {
  const call = programCall(ctx)
  return orUnavailable(id, async () => {
    const { vault } = await openSessionVault(call, id, account)
    const tokens = await vault.read()
    if (!tokens) throw notConnected(id, vault)
    return { account: tokens.providerAccountId, scope: listScopes(tokens) }
  })
}
