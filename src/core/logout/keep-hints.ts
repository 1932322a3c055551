/** Keeps with a new session what a sign-out at its providers needs. */
import type { SessionContext } from '../contracts.ts'
import type { Proved } from '../evidence.ts'
import type { LogoutHint } from './logout-hint.ts'
import { asRecord, parseJsonObject } from '../is-record.ts'
import { fromBase64Url } from '../crypto/digest.ts'
import { forgetProviders, MAX_PROVIDERS, readHints, readSignedIn, writeHints } from './hints.ts'
import type { SignedIn } from './hints.ts'
import { addProviderSession, copyProviderSession } from './provider-sessions.ts'

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

async function createHint(
  ctx: SessionContext,
  { account }: Proved,
  owners: readonly string[],
): Promise<LogoutHint | null> {
  const { provider, type, id_token } = account
  const { logout, tokens } = ctx.config.providers.get(provider) ?? {}
  if (!logout || !tokens) return null
  const { issuedBy } = tokens
  // A provider that does not respond now may do so at the sign-out.
  const canEnd = await logout.hasEndSession(ctx).catch(() => true)
  if (!canEnd) return owners.length > 0 ? { provider, issuedBy, owners } : null
  // The ID token of an `oauth` provider was not verified.
  if (type !== 'oidc' || id_token === undefined) return { provider, issuedBy }
  const logoutHint = logoutHintOf(verifiedClaims(id_token))
  const idToken = ctx.config.logout?.keepsIdTokens ? id_token : undefined
  return { provider, issuedBy, idToken, logoutHint, owners }
}

/** @throws SessionUnavailable, AdapterError: providers that end sessions must not lose one */
async function readReplaced(ctx: SessionContext): Promise<SignedIn | null> {
  const { backChannel = [], frontChannel = [] } = ctx.config.logout ?? {}
  if (backChannel.length + frontChannel.length === 0) return readSignedIn(ctx)
  const subject = await ctx.config.session.subject(ctx)
  return subject && { subject, hints: await readHints(ctx, subject) }
}

/** The other providers at which the user has signed in before. */
function otherHints({ hints }: SignedIn, { account }: Proved): readonly LogoutHint[] {
  return hints.filter(({ provider }) => provider !== account.provider)
}

async function keepHints(
  ctx: SessionContext,
  evidence: Proved,
  { replaced, owners }: { readonly replaced: SignedIn | null; readonly owners: readonly string[] },
): Promise<void> {
  try {
    const subject = await ctx.config.session.subject(ctx)
    const hint = await createHint(ctx, evidence, owners)
    if (replaced) await forgetProviders(ctx, await replaced.subject.sid(), replaced.hints)
    if (!subject) return
    const others = replaced?.subject.id === subject.id ? otherHints(replaced, evidence) : []
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

/** Whether the provider may end sessions, for which they are found by what its ID token names. */
function isIndexed({ config: { logout } }: SessionContext, { account }: Proved): boolean {
  const { provider, type } = account
  const ids = [...(logout?.backChannel ?? []), ...(logout?.frontChannel ?? [])]
  return type === 'oidc' && ids.includes(provider)
}

/** @throws AdapterError: no session begins that the provider could not end */
async function addToProvider(
  ctx: SessionContext,
  { account }: Proved,
  session: { readonly userId: string; readonly sid: string },
): Promise<readonly string[]> {
  const { provider, id_token, scope } = account
  const { iss, sub, sid } = verifiedClaims(id_token)
  const clientId = ctx.config.providers.get(provider)?.logout?.clientId ?? ''
  const issued = { issuer: String(iss), clientId }
  return addProviderSession(ctx, issued, {
    ...session,
    startedAt: Date.now(),
    provider,
    sub: String(sub),
    opSid: typeof sid === 'string' ? sid : undefined,
    isOffline: (scope ?? '').split(' ').includes('offline_access'),
  })
}

/** Extends a sign-in. It fails only if the provider could not end the session. */
export async function withHints<E extends Proved>(ctx: SessionContext, evidence: E): Promise<E> {
  const replaced = await readReplaced(ctx)
  let owners: readonly string[] = []
  return {
    ...evidence,
    async register(session) {
      await evidence.register?.(session)
      if (replaced?.subject.id === session.userId) {
        const others = otherHints(replaced, evidence).flatMap((hint) => hint.owners ?? [])
        const from = await replaced.subject.sid()
        if (others.length > 0) await copyProviderSession(ctx, { owners: others, from }, session)
      }
      if (isIndexed(ctx, evidence)) owners = await addToProvider(ctx, evidence, session)
    },
    async remember(userId, subjectId) {
      await evidence.remember?.(userId, subjectId)
      await keepHints(ctx, evidence, { replaced, owners })
    },
  }
}
