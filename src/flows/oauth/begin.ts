/** Starts the authorization code flow (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.1). */
import { createPkce } from '../../checks/pkce.ts'
import { returnTo } from '../../checks/return-to.ts'
import { transactions } from '../../checks/transaction.ts'
import type { Transaction } from '../../checks/transaction.ts'
import type { Context, Reply } from '../../contracts.ts'
import { randomBase64Url } from '../../crypto/random.ts'
import { InvalidConfiguration } from '../../errors/configuration.ts'
import { nodeEnv, providerNames } from '../../variables.ts'
import { authorizationRequest } from './authorization-url.ts'
import { orSignInError } from './failure.ts'
import { setParameters } from './parameters.ts'
import type { OAuthProvider } from './provider.ts'
import { createState, redirectUri } from './proxy.ts'
import { serverFacts } from './server.ts'

/** With `form_post`, a page of the provider posts the response, which is a cross-site request. */
export function sentFrom(mode: OAuthProvider['responseMode']): 'same-site' | 'cross-site' {
  return mode === 'form_post' ? 'cross-site' : 'same-site'
}

async function createProofs(
  ctx: Context,
  provider: OAuthProvider,
): Promise<{
  readonly kept: Pick<Transaction, 'state' | 'codeVerifier' | 'nonce'>
  readonly sent: Readonly<Record<string, string>>
}> {
  const { checks } = provider
  const state = checks.has('state') ? { state: await createState(ctx, provider) } : {}
  const nonce = checks.has('nonce') ? { nonce: randomBase64Url() } : {}
  if (!checks.has('pkce')) return { kept: { ...state, ...nonce }, sent: { ...state, ...nonce } }
  const { codeVerifier, codeChallenge } = await createPkce()
  return {
    kept: { ...state, ...nonce, codeVerifier },
    sent: { ...state, ...nonce, code_challenge: codeChallenge, code_challenge_method: 'S256' },
  }
}

/** Warns in development about a difference to `next-auth`: an `oauth` provider without `scope` sends none. */
function warnOfScope({ config }: Context, id: string, url: URL): void {
  if (nodeEnv() === 'development' && !url.searchParams.has('scope'))
    config.log.warnOnce(
      'oauth-no-scope',
      `Provider ${id} sends no scope. next-auth sends "openid profile email" for such a provider; to keep that, set authorization: { params: { scope: "openid profile email" } }.`,
    )
}

export async function begin(ctx: Context, provider: OAuthProvider): Promise<Reply> {
  const { id, clientId } = provider
  if (!clientId)
    throw new InvalidConfiguration(
      `Provider ${id} has no clientId. Set it, or ${providerNames(id, 'clientId')[0]} in the environment.`,
    )
  return orSignInError(id, async () => {
    const target = await returnTo(ctx)
    const { url, expectations } = await authorizationRequest(ctx.request, provider)
    warnOfScope(ctx, id, url)
    const server = await serverFacts(provider)
    const { kept, sent } = await createProofs(ctx, provider)
    setParameters(url, {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri(ctx, provider),
      ...sent,
    })
    const startedBy = (await ctx.config.session.subject(ctx))?.id
    const facts = {
      provider: id,
      returnTo: target,
      ...(startedBy !== undefined && { startedBy }),
      ...server,
      ...kept,
      ...expectations,
    }
    await transactions.create(ctx, facts, { from: sentFrom(provider.responseMode) })
    ctx.config.log.debug?.('authorization request', {
      provider: id,
      host: url.host,
      redirect_uri: url.searchParams.get('redirect_uri'),
      scope: url.searchParams.get('scope'),
    })
    return { status: 302, redirect: url.href }
  })
}
