/** The pages about passwords, and what their forms do. */
import { issueCsrfToken } from '../checks/csrf.ts'
import { readForm } from '../checks/sealed-cookie.ts'
import type { Reply } from '../contracts.ts'
import { AuthError } from '../errors/base.ts'
import { UnknownAction, Verification } from '../errors/classes.ts'
import { findErrorRow } from '../errors/table.ts'
import { negotiate } from '../http/respond.ts'
import { pageUrl } from '../http/path.ts'
import { isRecord } from '../is-record.ts'
import { requireTransport } from '../mail/send.ts'
import { describeSite } from '../pages/layout.ts'
import {
  changePage,
  donePage,
  forgotPage,
  invalidLinkPage,
  resetPage,
  sentPage,
  signUpPage,
  verifyPage,
} from '../pages/password-pages.ts'
import type { PasswordPage } from '../pages/password-pages.ts'
import { changePassword, removePassword, requireOwner, requireRecent } from './change-password.ts'
import type { PasswordContext } from './password-context.ts'
import { openResetLink, requestReset, resetPassword } from './reset-password.ts'
import { removeMethod, showMethods } from './review-methods.ts'
import { hasSignedUp, openSignUp, signUp, verifySignUp } from './sign-up.ts'

type PageName =
  'change' | 'done' | 'forgot' | 'methods' | 'remove' | 'reset' | 'sent' | 'sign-up' | 'verify'

interface PasswordRoute {
  readonly show?: (ctx: PasswordContext) => Promise<Reply>
  readonly act?: (ctx: PasswordContext) => Promise<Reply>
  /** Of the links that it sends or opens. */
  readonly needs?: 'reset' | 'signUp'
}

function urlOf({ origin, config }: PasswordContext, name: PageName): string {
  return `${origin}${config.basePath}/password/${name}`
}

function tokenOf({ request }: PasswordContext): string {
  const token: unknown = request.body['token'] ?? request.url.searchParams.get('token')
  return typeof token === 'string' ? token : ''
}

async function contentOf(
  ctx: PasswordContext,
  name: PageName,
  hidden: Readonly<Record<string, string>> = {},
): Promise<PasswordPage> {
  const { searchParams: query } = ctx.request.url
  const { form, values = {} } = (await readForm(ctx)) ?? {}
  const { email = '' } = form === 'password' ? values : {}
  return {
    ...describeSite(ctx),
    action: urlOf(ctx, name),
    hidden: { csrfToken: await issueCsrfToken(ctx), ...hidden },
    minLength: ctx.settings.minLength,
    error: query.get('error'),
    code: query.get('code'),
    retryAfter: Number(/^\d{1,5}$/.exec(query.get('retryAfter') ?? '')?.[0] ?? 0),
    email,
    signInUrl: pageUrl('signIn', ctx).href,
    homeUrl: ctx.origin,
  }
}

async function showReset(ctx: PasswordContext): Promise<Reply> {
  const token = tokenOf(ctx)
  const { user } = await openResetLink(ctx, token)
  const content = await contentOf(ctx, 'reset', { token })
  return { status: 200, html: resetPage({ ...content, email: user.email }) }
}

/** The browser of the sign-up signs in at once; the form of another one asks for the password. */
async function showVerify(ctx: PasswordContext): Promise<Reply> {
  const token = tokenOf(ctx)
  if (await hasSignedUp(ctx, token)) return verifySignUp(ctx, { token })
  await openSignUp(ctx, token)
  return { status: 200, html: verifyPage(await contentOf(ctx, 'verify', { token })) }
}

async function showChange(ctx: PasswordContext): Promise<Reply> {
  const { user, password } = await requireOwner(ctx)
  if (!password) await requireRecent(ctx, user, 'password.change')
  const content = await contentOf(ctx, 'change')
  const isDone = ctx.request.url.searchParams.has('done')
  const html = changePage({ ...content, email: user.email, hasPassword: password !== null, isDone })
  return { status: 200, html }
}

async function showDone(ctx: PasswordContext): Promise<Reply> {
  const hasReview = ctx.request.url.searchParams.has('review')
  const url = pageUrl('signIn', ctx)
  if (hasReview) url.searchParams.set('callbackUrl', urlOf(ctx, 'methods'))
  const html = donePage({ ...describeSite(ctx), signInUrl: url.href, hasReview })
  return { status: 200, html }
}

async function showSent(ctx: PasswordContext): Promise<Reply> {
  const { email } = await contentOf(ctx, 'sent')
  const isSignUp = ctx.request.url.searchParams.get('about') === 'sign-up'
  const html = sentPage({
    ...describeSite(ctx),
    email: email === '' ? null : email,
    maxAge: isSignUp ? 24 * 60 * 60 : 30 * 60,
    againUrl: urlOf(ctx, isSignUp ? 'sign-up' : 'forgot'),
  })
  return { status: 200, html }
}

const ROUTES: Readonly<Record<PageName, PasswordRoute>> = {
  change: { show: showChange, act: changePassword },
  done: { show: showDone },
  forgot: {
    needs: 'reset',
    show: async (ctx) => ({ status: 200, html: forgotPage(await contentOf(ctx, 'forgot')) }),
    act: requestReset,
  },
  methods: { show: showMethods, act: removeMethod },
  remove: { act: removePassword },
  reset: { needs: 'reset', show: showReset, act: resetPassword },
  sent: { show: showSent },
  'sign-up': {
    needs: 'signUp',
    show: async (ctx) => ({ status: 200, html: signUpPage(await contentOf(ctx, 'sign-up')) }),
    act: signUp,
  },
  verify: {
    needs: 'signUp',
    show: showVerify,
    act: (ctx) =>
      verifySignUp(ctx, { token: tokenOf(ctx), password: ctx.request.body['password'] }),
  },
}

function findRoute({ request }: PasswordContext, does: 'show' | 'act'): [PageName, PasswordRoute] {
  const { providerId: name = '' } = request
  const found = Object.entries(ROUTES).find(([each, route]) => each === name && route[does])
  if (found) return [found[0] as PageName, found[1]]
  throw new UnknownAction('There is no such page about passwords.')
}

function requireFeature(ctx: PasswordContext, { needs }: PasswordRoute): void {
  if (needs === 'signUp' && !ctx.settings.hasSignUp)
    throw new UnknownAction('The option signUp of Password is false.')
  if (needs) requireTransport(ctx, needs === 'signUp' ? 'password.signUp' : 'password.requestReset')
}

/** Where an error leads that has a URL: the sign-in page, or the one to confirm a session. */
function targetOf(error: unknown): string | null {
  const { url }: Readonly<Record<string, unknown>> =
    error instanceof AuthError && isRecord(error.cause) ? error.cause : {}
  return typeof url === 'string' ? url : null
}

/** A form is shown again, with the error. */
async function showAgain(ctx: PasswordContext, name: PageName, error: Error): Promise<Reply> {
  await ctx.config.audit?.recordFailure(ctx, error)
  ctx.config.log.error(error)
  if (error instanceof Verification) return showInvalidLink(ctx, name)
  const row = findErrorRow(error)
  const url = new URL(urlOf(ctx, name))
  const token = tokenOf(ctx)
  if (token !== '') url.searchParams.set('token', token)
  url.searchParams.set('error', row && 'type' in error ? String(error.type) : 'error')
  const code: unknown = 'code' in error ? error.code : row?.code
  if (typeof code === 'string') url.searchParams.set('code', code)
  const wait: unknown = 'retryAfter' in error ? error.retryAfter : 0
  if (typeof wait === 'number' && wait > 0) url.searchParams.set('retryAfter', String(wait))
  return { status: 302, redirect: url.href }
}

function showInvalidLink(ctx: PasswordContext, name: PageName): Reply {
  const againUrl = urlOf(ctx, name === 'verify' ? 'sign-up' : 'forgot')
  return { status: 403, html: invalidLinkPage({ ...describeSite(ctx), againUrl }) }
}

/** Errors that the user can do something about, on the same page. */
function isShown(error: unknown): error is Error {
  return error instanceof Error && findErrorRow(error)?.page === 'signIn'
}

export async function show(ctx: PasswordContext): Promise<Reply> {
  const [name, route] = findRoute(ctx, 'show')
  requireFeature(ctx, route)
  // Link previews send HEAD requests, which must not use up a link.
  if (ctx.request.isHead) return { status: 200 }
  try {
    return (await route.show?.(ctx)) ?? { status: 404 }
  } catch (error) {
    const redirect = targetOf(error)
    if (redirect !== null) return { status: 302, redirect }
    if (error instanceof Verification) return showAgain(ctx, name, error)
    throw error
  }
}

export async function act(ctx: PasswordContext): Promise<Reply> {
  const [name, route] = findRoute(ctx, 'act')
  requireFeature(ctx, route)
  try {
    return (await route.act?.(ctx)) ?? { status: 404 }
  } catch (error) {
    const { request } = ctx
    const isForm = request.form !== undefined && negotiate(request.headers) === 'redirect'
    if (!isForm || request.isServerCall) throw error
    const redirect = targetOf(error)
    if (redirect !== null) return { status: 302, redirect }
    if (isShown(error) || error instanceof Verification) return showAgain(ctx, name, error)
    throw error
  }
}
