/** Sign-out at providers after the one here, and the return from there. */
import { createLogoutTransaction, redeemLogoutTransaction } from '../checks/logout-transaction.ts'
import { announceSignOut } from '../checks/sealed-cookie.ts'
import { unavailable, withTimeout } from '../async/timeout.ts'
import type { Context, Reply } from '../contracts.ts'
import type { LogoutHint } from '../logout/logout-hint.ts'
import { pageUrl } from '../http/path.ts'
import { forgetProviders, MAX_PROVIDERS, readSignedIn } from '../logout/hints.ts'
import type { SignedIn } from '../logout/hints.ts'
import { describeSite } from '../pages/layout.ts'
import { signedOutPage } from '../pages/message-pages.ts'

/** Milliseconds for which a sign-out waits for the metadata of a provider. */
const DISCOVERY = 3_000

/** At which providers a sign-out takes place, besides here. */
type Federated = 'none' | 'first' | 'all'

export function readFederated({ request }: Context): Federated {
  const { federated } = request.body
  if (federated === 'all') return 'all'
  return federated === true || /^(?:true|on|1)$/.test(String(federated)) ? 'first' : 'none'
}

function warn({ config }: Context, provider: string, reason: string): void {
  config.log.warn(
    'federated-logout',
    `The user was signed out here, but not at provider ${provider}: ${reason}`,
  )
}

/** The first of these providers at which the user can sign out; `null`: none of them. */
async function nextProvider(
  ctx: Context,
  [hint, ...remaining]: readonly LogoutHint[],
  returnTo: string,
): Promise<string | null> {
  if (!hint) return null
  const { provider: id, idToken, logoutHint } = hint
  const logout = ctx.config.providers.get(id)?.logout
  const locale = ctx.config.theme.messages?.lang
  try {
    const started = await withTimeout(
      logout?.start(ctx, { idToken, logoutHint, locale }) ?? Promise.resolve(null),
      { what: `The metadata of provider ${id}`, timeout: DISCOVERY, timeoutError: unavailable },
    )
    if (started) {
      await createLogoutTransaction(ctx, { state: started.state, returnTo, remaining })
      return started.url
    }
    warn(ctx, id, 'its metadata has no end_session_endpoint. Set endSession of the provider.')
  } catch (error) {
    const reason = ctx.secrets.redact(error)?.message ?? ''
    warn(ctx, id, `its end-session endpoint is not known. ${reason}`)
  }
  return nextProvider(ctx, remaining, returnTo)
}

/** The provider of the sign-in, and after it the other ones of the session. */
function listProviders(
  { config: { providers } }: Context,
  { subject, hints }: SignedIn,
  federated: Federated,
): readonly LogoutHint[] {
  if (federated === 'none') return []
  const id = subject.facts()?.via ?? ''
  const { logout, tokens } = providers.get(id) ?? {}
  // What is kept may be lost; the provider then asks the user to confirm.
  const kept = hints.find(({ provider }) => provider === id)
  const found = kept ?? (logout && tokens && { provider: id, issuedBy: tokens.issuedBy })
  const first = found ? [found] : []
  const others = federated === 'all' ? hints.filter((hint) => hint !== kept) : []
  return [...first, ...others].slice(0, MAX_PROVIDERS)
}

/**
 * Reads what the session keeps, before it ends; returns what remains to be done after it. That returns where to go next:
 * to a provider, or to `returnTo`.
 */
export async function prepareLogout(ctx: Context): Promise<(returnTo: string) => Promise<string>> {
  const federated = readFederated(ctx)
  const session = await readSignedIn(ctx)
  return async (returnTo) => {
    if (!session) return returnTo
    try {
      await forgetProviders(ctx, await session.subject.sid(), session.hints)
    } catch (error) {
      // They expire.
      if (error instanceof Error) ctx.config.log.error(error)
    }
    const providers = listProviders(ctx, session, federated)
    return (await nextProvider(ctx, providers, returnTo)) ?? returnTo
  }
}

/** The deployment for which a redirect proxy has received the return. */
async function findDeployment(ctx: Context, state: string): Promise<string | null> {
  for (const id of ctx.config.providers.ids) {
    const deployment = await ctx.config.providers.get(id)?.logout?.deployment(ctx, state)
    if (deployment) return deployment
  }
  return null
}

/** Leads to the next provider, or to the target of the sign-out; without a matching state, never to the target. */
export async function returnFromLogout(ctx: Context): Promise<Reply> {
  const { request, origin } = ctx
  if (request.isHead) return { status: 200 }
  const state = request.url.searchParams.get('state') ?? ''
  const transaction = state === '' ? null : await redeemLogoutTransaction(ctx, state)
  if (transaction) {
    const { remaining, returnTo } = transaction
    const next = await nextProvider(ctx, remaining, returnTo)
    if (next === null) await announceSignOut(ctx, returnTo)
    return { status: 302, redirect: next ?? returnTo }
  }
  const deployment = state === '' ? null : await findDeployment(ctx, state)
  if (deployment !== null) return { status: 302, redirect: deployment + request.url.search }
  const links = { signInUrl: pageUrl('signIn', ctx).href, homeUrl: origin }
  return {
    status: 200,
    html: signedOutPage({ title: 'signedOutTitle', ...links, ...describeSite(ctx) }),
  }
}
