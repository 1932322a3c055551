import { chain } from '../async/awaitable.ts'
import { lazily } from '../async/cache.ts'
import { checkCsrf, issueCsrfToken, renewCsrfToken } from '../checks/csrf.ts'
import { findPasswords } from '../checks/find-passwords.ts'
import { resolveLogoutUrl, resolveReturnUrl } from '../checks/return-to.ts'
import { announceSignOut } from '../checks/sealed-cookie.ts'
import type { BoundProvider, Context, Reply } from '../contracts.ts'
import type { Proved, StepUp } from '../evidence.ts'
import { InvalidProvider, MethodNotAllowed, UnknownAction } from '../errors/classes.ts'
import { noteStepUp } from '../errors/failed-step-up.ts'
import { builtInPageUrl } from '../http/path.ts'
import { PAGE_WITH_TOKEN, withPrivateUrl } from '../http/respond.ts'
import type { AuthAction, Awaitable } from '../types.ts'
import { preload } from '../config/preload.ts'

interface Route {
  /** `csrf`: requires a CSRF token. `provider`: as the provider requires (see `CallbackGuards`). */
  readonly guard: 'none' | 'csrf' | 'provider'
  readonly run: (ctx: Context, provider?: BoundProvider) => Awaitable<Reply>
}

// Loaded with the first request, because most requests only read a session.
const loadPages = lazily(() => import('./pages.ts'))
const loadRepeatWithPassword = lazily(() => import('./repeat-with-password.ts'))
const loadFederatedLogout = lazily(() => import('./federated-logout.ts'))
const loadSignIn = lazily(() => import('../identity/sign-in.ts'))
const loadConfirm = lazily(() => import('./confirm.ts'))
const loadStepUp = lazily(() => import('./step-up.ts'))
const loadSecondStep = lazily(() => import('./second-step.ts'))

/** The step-up that the form is part of. @throws InvalidCheck */
async function readStepUp(ctx: Context): Promise<StepUp | undefined> {
  if (ctx.request.body['stepUp'] === undefined) return undefined
  return (await loadStepUp()).requestedStepUp(ctx)
}

/** The page of the path, of the provider of `lib-auth/password`. @throws UnknownAction */
async function passwordPage(ctx: Context, does: 'show' | 'act'): Promise<Reply> {
  const passwords = findPasswords(ctx)
  if (passwords)
    return withPrivateUrl({ headers: PAGE_WITH_TOKEN, ...(await passwords[does](ctx)) })
  throw new UnknownAction(
    'The pages about passwords need the provider Password of lib-auth/password.',
  )
}

function page(show: keyof Awaited<ReturnType<typeof loadPages>>): Route {
  return { guard: 'none', run: async (ctx) => (await loadPages())[show](ctx) }
}

async function getCsrfToken(ctx: Context): Promise<Reply> {
  ctx.config.providers.preload()
  const csrfToken = await issueCsrfToken(ctx)
  if (csrfToken !== null) return { status: 200, body: { csrfToken } }
  ctx.config.log.warnOnce(
    'csrf-disabled',
    'skipCSRFCheck is set, so there is no CSRF token: /csrf answers 404.',
  )
  return { status: 404 }
}

function getSession(ctx: Context): Awaitable<Reply> {
  // A callback may rotate a refresh token, and the response to a HEAD request would lose the new one.
  const session = ctx.request.isHead ? null : ctx.config.session.read(ctx)
  return chain(session, (body) => ({ status: 200, body }))
}

async function updateSession(ctx: Context): Promise<Reply> {
  return { status: 200, body: await ctx.config.session.update(ctx, ctx.request.body['data']) }
}

async function startSignIn(ctx: Context, provider?: BoundProvider): Promise<Reply> {
  preload(loadSignIn)
  const password = ctx.request.url.searchParams.get('or')
  if (password !== null && provider?.offer.kind === 'email') {
    const { repeatWithPassword } = await loadRepeatWithPassword()
    const reply = repeatWithPassword(ctx, password)
    if (reply) return reply
  }
  if (provider) return provider.begin(ctx, await readStepUp(ctx))
  await resolveReturnUrl(ctx)
  return { status: 302, redirect: builtInPageUrl('signIn', ctx).href }
}

async function signOut(ctx: Context): Promise<Reply> {
  // First, so that a failing redirect callback cannot leave the user signed in.
  const session = await ctx.config.session.identify(ctx)
  const revokeTokens = ctx.config.tokens.isKept
    ? await (await import('../tokens/forget.ts')).forgetTokens(ctx)
    : undefined
  const leaveProviders = await prepareLogout(ctx)
  const id = await ctx.config.session.destroy(ctx)
  await renewCsrfToken(ctx, '')
  await revokeTokens?.()
  if (id !== null) {
    const actor = { kind: 'user', id } as const
    await ctx.config.audit?.record(ctx, { type: 'signout', outcome: 'success', actor, session })
  }
  const returnTo = await resolveLogoutUrl(ctx)
  const redirect = (await leaveProviders?.(returnTo)) ?? returnTo
  if (redirect === returnTo) await announceSignOut(ctx, returnTo)
  return { status: 302, redirect }
}

/** What remains to be done after a sign-out if the option `logout` is set. */
async function prepareLogout(ctx: Context) {
  if (ctx.config.logout) return (await loadFederatedLogout()).prepareLogout(ctx)
  if (ctx.request.body['federated'] !== undefined)
    ctx.config.log.warnOnce(
      'federated-logout',
      'A sign-out with the option federated was only one at this site, because logout is not set. Set logout: {} in the configuration.',
    )
  return undefined
}

/** The page of the step-up shows why the proof was rejected. */
async function noteFailed<T>(
  ctx: Context,
  stepUp: StepUp | undefined,
  prove: () => Promise<T>,
): Promise<T> {
  try {
    return await prove()
  } catch (error) {
    if (stepUp && error instanceof Error) noteStepUp(error, stepUp, await resolveReturnUrl(ctx))
    throw error
  }
}

async function completeSignIn(ctx: Context, provider?: BoundProvider): Promise<Reply> {
  if (!provider)
    throw new InvalidProvider('The callback route requires the id of a provider in its path.')
  // Link previews send HEAD requests, which must not consume a single-use code or link.
  if (ctx.request.isHead) return withPrivateUrl({ status: 200 })
  const stepUp = await readStepUp(ctx)
  const result = await noteFailed(ctx, stepUp, () => provider.complete(ctx))
  if (!('account' in result)) return withPrivateUrl(result)
  if (result.proves === 'account' && result.connect) {
    const { connect } = await import('../tokens/connect.ts')
    return withPrivateUrl(await connect(ctx, result, result.connect))
  }
  const { signIn } = await loadSignIn()
  const kept = await withLogout(ctx, await withKeptTokens(ctx, result))
  return withPrivateUrl(await signIn(ctx, kept, stepUp))
}

/** Keeps with the session what a sign-out at its provider needs. */
async function withLogout<E extends Proved>(ctx: Context, evidence: E): Promise<E> {
  if (!ctx.config.logout) return evidence
  return (await import('../logout/keep-hints.ts')).withHints(ctx, evidence)
}

/** Stores tokens with the session that the sign-in creates. */
async function withKeptTokens<E extends Proved>(ctx: Context, evidence: E): Promise<E> {
  if (!ctx.config.tokens.isKept) return evidence
  const { keepTokens, replacedSession } = await import('../tokens/keep.ts')
  const replaced = await replacedSession(ctx)
  const account = evidence.proves === 'account' ? evidence.stored : undefined
  if (!account && !replaced) return evidence
  return {
    ...evidence,
    async remember(userId, subjectId) {
      await evidence.remember?.(userId, subjectId)
      await keepTokens(ctx, { account, replaced })
    },
  }
}

/** The page of a sign-in that waits for its second step, else that on which the user of a session confirms who they are. */
async function showStepUp(ctx: Context): Promise<Reply> {
  const { jar, cookies, request } = ctx
  const isWaiting =
    jar.getPrefixed(cookies.pending.name).size > 0 && !request.url.searchParams.has('stepUp')
  const reply = isWaiting ? await (await loadSecondStep()).showSecondStep(ctx) : null
  return reply ?? (await loadStepUp()).showStepUp(ctx)
}

async function submitStepUp(ctx: Context): Promise<Reply> {
  if (ctx.request.body['code'] === undefined) return (await loadStepUp()).startStepUp(ctx)
  const { passSecondStep, showRecoveryCodes } = await loadSecondStep()
  const passed = await passSecondStep(ctx)
  const { finishSignIn } = await loadSignIn()
  const evidence = await withLogout(ctx, await withKeptTokens(ctx, passed.evidence))
  return showRecoveryCodes(ctx, passed, await finishSignIn(ctx, evidence, passed))
}

async function showOptions(ctx: Context, provider?: BoundProvider): Promise<Reply> {
  if (!provider?.showOptions)
    throw new InvalidProvider('The webauthn-options route requires the id of a passkey provider.')
  preload(loadSignIn)
  return provider.showOptions(ctx)
}

async function returnFromLogout(ctx: Context): Promise<Reply> {
  return withPrivateUrl(await (await loadFederatedLogout()).returnFromLogout(ctx))
}

async function receiveLogoutToken(ctx: Context, provider?: BoundProvider): Promise<Reply> {
  return (await import('./backchannel-logout.ts')).receiveLogoutToken(ctx, provider)
}

async function receiveFrame(ctx: Context, provider?: BoundProvider): Promise<Reply> {
  return (await import('./frontchannel-logout.ts')).receiveFrame(ctx, provider)
}

const callback: Route = { guard: 'provider', run: completeSignIn }

const routes: Readonly<Record<AuthAction, Readonly<Partial<Record<'GET' | 'POST', Route>>>>> = {
  csrf: { GET: { guard: 'none', run: getCsrfToken } },
  password: {
    GET: { guard: 'none', run: (ctx) => passwordPage(ctx, 'show') },
    POST: { guard: 'csrf', run: (ctx) => passwordPage(ctx, 'act') },
  },
  providers: { GET: page('listProviders') },
  session: {
    GET: { guard: 'none', run: getSession },
    POST: { guard: 'csrf', run: updateSession },
  },
  signin: { GET: page('showSignIn'), POST: { guard: 'csrf', run: startSignIn } },
  'backchannel-logout': { POST: { guard: 'none', run: receiveLogoutToken } },
  'frontchannel-logout': { GET: { guard: 'none', run: receiveFrame } },
  'post-logout': { GET: { guard: 'none', run: returnFromLogout } },
  signout: { GET: page('showSignOut'), POST: { guard: 'csrf', run: signOut } },
  'step-up': {
    GET: { guard: 'none', run: showStepUp },
    POST: { guard: 'csrf', run: submitStepUp },
  },
  callback: { GET: callback, POST: callback },
  confirm: {
    GET: { guard: 'none', run: async (ctx) => (await loadConfirm()).showConfirm(ctx) },
    POST: { guard: 'csrf', run: async (ctx) => (await loadConfirm()).confirm(ctx) },
  },
  error: { GET: page('showError') },
  'webauthn-options': { GET: { guard: 'none', run: showOptions } },
  'verify-request': { GET: page('showVerifyRequest') },
}

function rejectMethod(ctx: Context, allowed: readonly string[]): never {
  const { method, action } = ctx.request
  const allow = allowed.join(', ')
  throw new MethodNotAllowed(`The route ${action} does not accept ${method}.`, { allow })
}

function requiresCsrf(ctx: Context, { guard }: Route, provider?: BoundProvider): boolean {
  if (guard !== 'provider' || !provider) return guard === 'csrf'
  const { guards } = provider
  return (guards[ctx.request.method] ?? rejectMethod(ctx, Object.keys(guards))) === 'csrf'
}

export function run(ctx: Context): Awaitable<Reply> {
  const { action, method, providerId } = ctx.request
  const path = providerId === undefined ? action : `${action}/${providerId}`
  ctx.config.log.debug?.('request received', { method, route: path })
  const methods = routes[action]
  const route = methods[method] ?? rejectMethod(ctx, Object.keys(methods))
  const provider = providerId === undefined ? undefined : ctx.config.providers.get(providerId)
  if (providerId !== undefined && !provider && action !== 'password')
    throw new InvalidProvider(
      'No provider has the id in the path of the request. Check the id in the URL, and the providers in the configuration.',
    )
  const isChecked = requiresCsrf(ctx, route, provider)
  return chain(isChecked ? checkCsrf(ctx) : undefined, () => route.run(ctx, provider))
}
