/** The page on which a user enters the code of the second step. */
import { stepUpUrl } from '../assurance/step-up.ts'
import { issueCsrfToken } from '../checks/csrf.ts'
import type { Context, Reply } from '../contracts.ts'
import { findEnrollment } from '../factors/enrollment.ts'
import { findWaiting } from '../factors/second-step.ts'
import type { PassedSignIn, WaitingSignIn } from '../factors/second-step.ts'
import { builtInPageUrl, isSamePage, pageUrl } from '../http/path.ts'
import { describeSite } from '../pages/layout.ts'
import { enrollPage, recoveryCodesPage, secondStepPage } from '../pages/second-step-page.ts'
import { loadChoices } from './choices.ts'

export { passSecondStep } from '../factors/second-step.ts'

/** The page of the application, which receives that a second step is due. */
function ownPage(ctx: Context, returnTo: string): string | null {
  if (!ctx.config.pages.stepUp) return null
  const url = pageUrl('stepUp', ctx)
  if (isSamePage(url, builtInPageUrl('stepUp', ctx))) return null
  url.searchParams.set('secondStep', 'required')
  url.searchParams.set('callbackUrl', returnTo)
  for (const name of ['error', 'code', 'retryAfter', 'recovery']) {
    const value = ctx.request.url.searchParams.get(name)
    if (value !== null) url.searchParams.set(name, value)
  }
  return url.href
}

function signInUrl(ctx: Context, returnTo: string): string {
  const url = pageUrl('signIn', ctx)
  url.searchParams.set('callbackUrl', returnTo)
  return url.href
}

async function codePage(ctx: Context, returnTo: string) {
  const { searchParams: query } = ctx.request.url
  const error = query.get('error')
  const isLimit = error === 'TooManyAttempts'
  const rejected = isLimit ? ('limit' as const) : ('code' as const)
  return {
    action: builtInPageUrl('stepUp', ctx).href,
    hidden: { csrfToken: await issueCsrfToken(ctx) },
    signInUrl: signInUrl(ctx, returnTo),
    rejected: error === null ? null : rejected,
    retryAfter: Number(/^\d{1,5}$/.exec(query.get('retryAfter') ?? '')?.[0] ?? 0),
    ...describeSite(ctx),
  }
}

/** A passkey that has verified its user counts as both steps. */
async function passkeyForms({ ctx, pending }: WaitingSignIn) {
  const { database, config, origin } = ctx
  const { evidence, stepUp, userId } = pending
  const { returnTo } = evidence
  const hasPasskey =
    (await database.has('listAuthenticatorsByUserId')) &&
    (await ctx.query('listAuthenticatorsByUserId', userId)).length > 0
  const choices = hasPasskey ? await loadChoices(ctx) : []
  const passkeyChoices = choices.filter(({ provider }) => provider.passkeyPage)
  const loaded = await passkeyChoices[0]?.provider.passkeyPage?.()
  const sealed =
    stepUp && new URL(await stepUpUrl(ctx, stepUp, returnTo)).searchParams.get('stepUp')
  return {
    passkeys: loaded && { routesUrl: origin + config.basePath, isSignedIn: true, ...loaded },
    passkeyChoices,
    passkeyHidden: {
      csrfToken: await issueCsrfToken(ctx),
      callbackUrl: returnTo,
      stepUp: sealed ?? null,
    },
  }
}

/** `null`: no sign-in waits in this browser. */
export async function showSecondStep(request: Context): Promise<Reply | null> {
  const waiting = await findWaiting(request)
  if (!waiting) return null
  const { ctx, pending, factors } = waiting
  const { evidence, enrolling, userId } = pending
  const content = await codePage(ctx, evidence.returnTo)
  const confirmed = factors.filter((factor) => factor.confirmed)
  if (confirmed.length === 0) {
    const user = await ctx.query('getUser', userId)
    const enrollment =
      user && enrolling !== undefined ? await findEnrollment({ ctx, user }, enrolling) : null
    return enrollment && { status: 200, html: enrollPage({ ...content, ...enrollment }) }
  }
  const own = ownPage(ctx, evidence.returnTo)
  if (own !== null) return { status: 302, redirect: own }
  const hasApp = confirmed.some(({ type }) => type === 'totp')
  const hasCodes = confirmed.some(({ type }) => type === 'recovery')
  const isRecovery = !hasApp || ctx.request.url.searchParams.has('recovery')
  const other = builtInPageUrl('stepUp', ctx)
  if (!isRecovery) other.searchParams.set('recovery', 'true')
  return {
    status: 200,
    html: secondStepPage({
      ...content,
      kind: isRecovery ? 'recovery' : 'app',
      hidden: { ...content.hidden, recovery: isRecovery ? 'true' : null },
      otherUrl: hasApp && hasCodes ? other.href : null,
      remembers: ctx.config.secondStep?.rememberDevice ?? null,
      ...(await passkeyForms(waiting)),
    }),
  }
}

/** Shows new recovery codes before the user continues. */
export function showRecoveryCodes(
  ctx: Context,
  { recoveryCodes: codes }: PassedSignIn,
  reply: Reply,
): Reply {
  if (codes.length === 0) return reply
  const { redirect: continueUrl = ctx.origin } = reply
  return { status: 200, html: recoveryCodesPage(describeSite(ctx), { codes, continueUrl }) }
}
