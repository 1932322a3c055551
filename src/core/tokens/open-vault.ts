/** The tokens of a call: where they are stored, and who issues them. */
import { chain } from '../async/awaitable.ts'
import { missingClientId } from '../config/variables.ts'
import type { SessionContext, Subject, TokenIssuer } from '../contracts.ts'
import { AccessTokenError, InvalidConfiguration } from '../errors/classes.ts'
import type { HeaderReader } from '../http/read-headers.ts'
import type { Awaitable, ResponseCookie } from '../types.ts'
import type { TokenVault } from './token-vault.ts'
import { sessionVault } from './vault.ts'

/** A request for an access token. */
export interface TokenCall {
  readonly ctx: SessionContext
  /** For the audit log. */
  readonly headers: HeaderReader
  /** Whether the response is only a preview, such as that to a prefetch, whose cookies a browser may drop. */
  readonly isPreview: () => boolean
  /** Sets cookies of the response now. Throws if that is impossible, such as while a page is rendered. */
  readonly setCookies: (changes: readonly ResponseCookie[]) => void
}

export interface OpenedVault extends TokenCall {
  /** Id of the provider. */
  readonly id: string
  readonly issuer: TokenIssuer
  readonly userId: string
  /** Undefined without a session, in a background job. */
  readonly subject: Subject | undefined
  readonly vault: TokenVault
}

export function tokenIssuer(ctx: SessionContext, id: string): TokenIssuer {
  const { tokens } = ctx.config.providers.get(id) ?? {}
  // Tokens of another client cannot be decrypted, which would look as if the user had to connect the account again.
  if (tokens?.clientId === '') throw new InvalidConfiguration(missingClientId(id))
  if (tokens) return tokens
  const ids = ctx.config.providers.ids.filter((each) => ctx.config.providers.get(each)?.tokens)
  throw new InvalidConfiguration(
    `${JSON.stringify(id)} is not the id of a provider of type oauth or oidc, and only these have access tokens. Configured ids: ${ids.join(', ') || 'none'}.`,
  )
}

/** Of the user who is signed in. @throws AccessTokenError, InvalidConfiguration */
export function openSessionVault(
  { ctx, headers, isPreview, setCookies }: TokenCall,
  id: string,
  account: string | undefined,
): Awaitable<OpenedVault> {
  const issuer = tokenIssuer(ctx, id)
  return chain(ctx.config.session.readSubject(ctx), (subject) => {
    if (!subject)
      throw new AccessTokenError('No user is signed in, so there is no access token.', {
        code: 'not_signed_in',
        provider: id,
      })
    const { id: userId } = subject
    return chain(sessionVault(ctx, { subject, provider: id, account }), (vault) => ({
      // By name: a spread takes longer than the rest of this function.
      ctx,
      headers,
      isPreview,
      setCookies,
      id,
      issuer,
      userId,
      subject,
      vault,
    }))
  })
}
