/** The built-in pages, or redirects to the pages of the application that replace them; the providers as JSON. */
import { issueCsrfToken } from '../checks/csrf.ts'
import { isSignInPage, resolveLogoutUrl, resolveReturnUrl } from '../checks/return-to.ts'
import { REMEMBER, REMEMBER_SHOWN } from '../http/call-options.ts'
import {
  deleteSealedCookie,
  mailsRequested,
  readForm,
  readProblem,
} from '../checks/sealed-cookie.ts'
import { readTransaction } from '../checks/transaction.ts'
import type { Context, Reply, Subject } from '../contracts.ts'
import { ErrorPageLoop } from '../errors/classes.ts'
import { errorTable, isErrorType } from '../errors/table.ts'
import { builtInPageUrl, isSamePage, pageUrl } from '../http/path.ts'
import type { ReplaceablePage } from '../http/path.ts'
import { mailLimit } from '../limits/rules.ts'
import { errorPage, signedOutPage, signOutPage } from '../pages/message-pages.ts'
import { verifyRequestPage } from '../pages/verify-request-page.ts'
import type { CodeForm, ResendForm } from '../pages/verify-request-page.ts'
import { describeSite } from '../pages/layout.ts'
import { boxState } from '../pages/remember-box.ts'
import { signInPage } from '../pages/sign-in-page.ts'
import { isNotLinked } from '../pages/sign-in-error.ts'
import type { PasskeyPage, SignedInUser, SignInChoice } from '../pages/sign-in-content.ts'
import { findProviders, loadChoices, readOptional } from './choices.ts'

/** The page that replaces a built-in one; `null` if it is not configured, or configured with the built-in URL. */
function ownPage(
  ctx: Context,
  page: ReplaceablePage,
  query: Readonly<Record<string, string | null>> = {},
): URL | null {
  const { pages, log } = ctx.config
  if (!pages[page]) return null
  const url = pageUrl(page, ctx)
  if (!isSamePage(url, builtInPageUrl(page, ctx))) {
    for (const [name, value] of Object.entries(query))
      if (value !== null) url.searchParams.set(name, value)
    return url
  }
  log.error(
    new ErrorPageLoop(
      `pages.${page} (${pages[page]}) is the URL of the built-in page, which is shown instead. Remove it, or set it to a page of your application.`,
    ),
  )
  return null
}

export async function listProviders(ctx: Context): Promise<Reply> {
  const entries = findProviders(ctx).map(({ provider: { id, name, type }, routes }) => [
    id,
    { id, name, type, ...routes },
  ])
  return { status: 200, body: Object.fromEntries(entries) }
}

async function passkeyPage(ctx: Context, user: Subject | null): Promise<PasskeyPage | undefined> {
  const found = findProviders(ctx).find(({ provider }) => provider.passkeyPage)
  const loaded = await found?.provider.passkeyPage?.()
  if (!loaded) return
  const routesUrl = ctx.origin + ctx.config.basePath
  return { routesUrl, isSignedIn: Boolean(user?.isStored), ...loaded }
}

/** Reads the user of the session, which is not extended; `null` without a session, or if it cannot be read. */
function readUser(ctx: Context): Promise<Subject | null> {
  return readOptional(ctx, () => ctx.config.session.subject(ctx))
}

function signInUrlFor(ctx: Context, returnTo: string): string {
  const url = pageUrl('signIn', ctx)
  url.searchParams.set('callbackUrl', returnTo)
  return url.href
}

/** What the page says about the user; `null` if that would contradict its error. */
function signedInUser(
  ctx: Context,
  user: Subject | null,
  { error, returnTo }: { readonly error: string | null; readonly returnTo: string },
): SignedInUser | null {
  // The application has ended the session in a callback.
  if (!user || error === 'SessionRequired') return null
  if (isNotLinked(error) && user.isStored === false) return null
  const signOutUrl = pageUrl('signOut', ctx)
  signOutUrl.searchParams.set('callbackUrl', signInUrlFor(ctx, returnTo))
  return { label: user.label, signOutUrl: signOutUrl.href, returnTo }
}

/** Links to the pages that send mails. */
function passwordPages({ config, origin }: Context, choices: readonly SignInChoice[]) {
  const offers = choices.map(({ provider: { offer } }) => offer)
  const links = offers.flatMap((offer) => (offer.kind === 'form' && offer.passwords) || [])[0]
  if (!links || !config.account?.deliver || !config.records) return undefined
  const base = `${origin}${config.basePath}/password`
  return { forgotUrl: `${base}/forgot`, signUpUrl: links.signUp ? `${base}/sign-up` : null }
}

export async function showSignIn(ctx: Context): Promise<Reply> {
  const { origin, config, request } = ctx
  const query = request.url.searchParams
  const returnTo = await resolveReturnUrl(ctx)
  const error = query.get('error')
  const code = error === null ? null : query.get('code')
  // Anyone can write a link to this page, so nothing but a number of at most five digits is accepted.
  const [retryAfter = null] = /^\d{1,5}$/.exec(query.get('retryAfter') ?? '') ?? []
  const callbackUrl = returnTo === origin ? '/' : returnTo
  const own = ownPage(ctx, 'signIn', { callbackUrl, error, code, retryAfter })
  if (own) return { status: 302, redirect: own.href }
  const choices = await loadChoices(ctx)
  config.providers.preload()
  const user = await readUser(ctx)
  const email = query.get('email') ?? undefined
  const submitted = await readForm(ctx)
  const remember = config.lifetime.hasLifetime ? boxState({ choices, submitted, error }) : undefined
  const hidden = {
    csrfToken: await issueCsrfToken(ctx),
    callbackUrl: returnTo,
    [REMEMBER_SHOWN]: remember ? 'true' : null,
  }
  const problem = error === null ? null : await readProblem(ctx, error)
  const hasRequestedMail = choices.some(
    ({ provider: { id, offer } }) => offer.kind === 'email' && id === submitted?.form,
  )
  // Kept for the next mail to the same address, unless it was rejected.
  if (!hasRequestedMail || error !== null) deleteSealedCookie(ctx, 'form')
  const { returnTo: target = '' } = submitted?.form === 'signout' ? submitted.values : {}
  const isSignedOut = target !== '' && (target === returnTo || isSignInPage(target, ctx))
  return {
    status: 200,
    html: signInPage({
      choices,
      hidden,
      error,
      code,
      retryAfter: Number(retryAfter),
      email,
      rejected: error === null ? null : submitted,
      isSignedOut,
      problem,
      mailLimit: hasRequestedMail ? mailLimit(config.protection) : null,
      mailsRequested: mailsRequested(submitted),
      passkeys: await passkeyPage(ctx, user),
      remember,
      passwordPages: passwordPages(ctx, choices),
      signedIn: signedInUser(ctx, user, { error, returnTo }),
      ...describeSite(ctx),
    }),
  }
}

export async function showSignOut(ctx: Context): Promise<Reply> {
  const returnTo = await resolveLogoutUrl(ctx)
  const own = ownPage(ctx, 'signOut')
  if (own) return { status: 302, redirect: own.href }
  const user = await readUser(ctx)
  // A session that cannot be read can be signed out of.
  const isSignedIn = user !== null || (await ctx.config.session.identify(ctx)) !== ''
  if (!isSignedIn) {
    const links = { signInUrl: signInUrlFor(ctx, returnTo), homeUrl: ctx.origin }
    return {
      status: 200,
      html: signedOutPage({ title: 'notSignedIn', ...links, ...describeSite(ctx) }),
    }
  }
  const action = builtInPageUrl('signOut', ctx).href
  const asked = ctx.request.url.searchParams.get('federated')
  const federated = asked === 'true' || asked === 'all' ? asked : null
  const hidden = { csrfToken: await issueCsrfToken(ctx), callbackUrl: returnTo, federated }
  const label = user?.label ?? null
  return {
    status: 200,
    html: signOutPage({ action, hidden, returnTo, user: label, ...describeSite(ctx) }),
  }
}

export async function showError(ctx: Context): Promise<Reply> {
  const error = ctx.request.url.searchParams.get('error') ?? ''
  const own = ownPage(ctx, 'error', { error: error || null })
  if (own) return { status: 302, redirect: own.href }
  const signInUrl = pageUrl('signIn', ctx).href
  const { form, values = {} } = (await readForm(ctx)) ?? {}
  const isSame = form === 'error' && values['error'] === error
  const { reference, account } = isSame ? values : {}
  const links = { signInUrl, homeUrl: ctx.origin }
  const problem = await readProblem(ctx, error)
  const html = errorPage({ error, reference, account, problem, ...links, ...describeSite(ctx) })
  // `Configuration` is the public name of several types; an unknown type is not an error of the library.
  if (error === 'Configuration') return { status: 500, html }
  return { status: isErrorType(error) ? errorTable[error].status : 200, html }
}

type Choice = ReturnType<typeof findProviders>[number]

/** The form that sends the mail again; `null` for a browser that has not typed the address. */
async function resendForm(ctx: Context, { provider, routes }: Choice): Promise<ResendForm | null> {
  const { form, values = {} } = (await readForm(ctx)) ?? {}
  const { email, [REMEMBER]: remember = null } = values
  if (email === undefined || form !== provider.id) return null
  const callbackUrl = await resolveReturnUrl(ctx)
  const hidden = { csrfToken: await issueCsrfToken(ctx), callbackUrl, email, [REMEMBER]: remember }
  return { address: email, action: routes.signinUrl, hidden }
}

/** The form for the code; `null` for a browser that has not requested one. */
async function codeForm(ctx: Context, { provider, routes }: Choice): Promise<CodeForm | null> {
  const key = { provider: provider.id, state: undefined, from: 'same-site' } as const
  const { address, emailCode } = (await readTransaction(ctx, key)) ?? {}
  if (address === undefined || !emailCode) return null
  const hidden = { csrfToken: await issueCsrfToken(ctx) }
  const { digits, expires } = emailCode
  const minutes = Math.max(1, Math.round((expires - Date.now()) / 60_000))
  return { address, action: routes.callbackUrl, hidden, digits, minutes }
}

/** The provider of the query, or that of the form which was sent last. */
async function mailChoice(ctx: Context): Promise<Choice | undefined> {
  const id = ctx.request.url.searchParams.get('provider') ?? (await readForm(ctx))?.form
  return findProviders(ctx).find(({ provider }) => provider.id === id)
}

export async function showVerifyRequest(ctx: Context): Promise<Reply> {
  const { searchParams } = ctx.request.url
  const own = ownPage(ctx, 'verifyRequest')
  if (own) {
    // Parameters that the application put into its own URL are kept.
    for (const [name, value] of searchParams)
      if (!own.searchParams.has(name)) own.searchParams.set(name, value)
    return { status: 302, redirect: own.href }
  }
  const site = { homeUrl: ctx.origin, signInUrl: pageUrl('signIn', ctx).href, ...describeSite(ctx) }
  const choice = await mailChoice(ctx)
  const offer = choice?.provider.offer
  if (!choice || offer?.kind !== 'email') return { status: 200, html: verifyRequestPage(site) }
  const forms = { resend: await resendForm(ctx, choice), code: await codeForm(ctx, choice) }
  const isRejected = searchParams.get('error') === 'Verification'
  const html = verifyRequestPage({
    ...site,
    ...forms,
    method: offer.method,
    isRejected,
    mailLimit: mailLimit(ctx.config.protection),
    mailsRequested: mailsRequested(await readForm(ctx)),
  })
  return { status: 200, html }
}
