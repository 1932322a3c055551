/** Keeps with a new session what a sign-out at its providers needs. */
import type { Evidence, LogoutHint, SessionContext, Subject } from '../contracts.ts'
import { asRecord, parseJsonObject } from '../is-record.ts'
import { fromBase64Url } from '../crypto/digest.ts'
import { deleteHints, MAX_PROVIDERS, readHints, writeHints } from './hints.ts'

/** The claims of an ID token, which the sign-in has verified. */
export function verifiedClaims(idToken: unknown): Readonly<Record<string, unknown>> {
  const [, payload = ''] = typeof idToken === 'string' ? idToken.split('.') : []
  const bytes = fromBase64Url(payload)
  return asRecord(bytes && parseJsonObject(new TextDecoder().decode(bytes)))
}

/** The claim `login_hint` of Microsoft Entra ID, else the session of the user at the provider. */
function logoutHintOf(claims: Readonly<Record<string, unknown>>): string | undefined {
  return [claims['login_hint'], claims['sid']].find((each) => typeof each === 'string')
}

async function createHint(ctx: SessionContext, { account }: Evidence): Promise<LogoutHint | null> {
  const { provider, type, id_token } = account
  const bound = ctx.config.providers.get(provider)
  if (!bound?.logout || !bound.tokens) return null
  // A provider that does not respond now may do so at the sign-out.
  if (!(await bound.logout.hasEndSession(ctx).catch(() => true))) return null
  const { issuedBy } = bound.tokens
  // That of an `oauth` provider was not verified.
  if (type !== 'oidc' || id_token === undefined) return { provider, issuedBy }
  const logoutHint = logoutHintOf(verifiedClaims(id_token))
  const idToken = ctx.config.logout?.keepsIdTokens ? id_token : undefined
  return { provider, issuedBy, idToken, logoutHint }
}

/** The session that a sign-in replaces. */
interface Replaced {
  readonly subject: Subject
  readonly hints: readonly LogoutHint[]
}

/** `null` also if it cannot be read: the sign-in does not need it. */
async function readReplaced(ctx: SessionContext): Promise<Replaced | null> {
  try {
    const subject = await ctx.config.session.subject(ctx)
    return subject && { subject, hints: await readHints(ctx, subject) }
  } catch (error) {
    if (error instanceof Error) ctx.config.log.error(error)
    return null
  }
}

async function keepHints(
  ctx: SessionContext,
  evidence: Evidence,
  replaced: Replaced | null,
): Promise<void> {
  try {
    const subject = await ctx.config.session.subject(ctx)
    const hint = await createHint(ctx, evidence)
    if (replaced) await deleteHints(ctx, await replaced.subject.sid())
    if (!subject) return
    const before = replaced?.subject.id === subject.id ? replaced.hints : []
    const others = before.filter(({ provider }) => provider !== hint?.provider)
    const hints = [...(hint ? [hint] : []), ...others].slice(0, MAX_PROVIDERS)
    if (hints.length > 0) await writeHints(ctx, subject, hints)
  } catch (error) {
    if (error instanceof Error) ctx.config.log.error(error)
    ctx.config.log.warn(
      'federated-logout',
      `What a sign-out at provider ${evidence.account.provider} needs could not be stored, so the provider may ask the user to confirm it.`,
    )
  }
}

/** Extends a sign-in, which does not fail if nothing can be stored. */
export async function withHints(ctx: SessionContext, evidence: Evidence): Promise<Evidence> {
  const replaced = await readReplaced(ctx)
  return {
    ...evidence,
    async remember(userId) {
      await evidence.remember?.(userId)
      await keepHints(ctx, evidence, replaced)
    },
  }
}
