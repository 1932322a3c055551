/** Turns an error into a response. The response to each type of error is defined in `errors/table.ts`. */
import { addProblem, setSealedCookie } from './checks/sealed-cookie.ts'
import type { AuthConfig } from './config/types.ts'
import type { Theme } from './pages/theme.ts'
import type { Reply, SessionContext } from './contracts.ts'
import { createJar } from './cookies/jar.ts'
import {
  CallbackRouteError,
  ErrorPageLoop,
  StepUpRequired,
  TooManyAttempts,
} from './errors/classes.ts'
import { readFailedStepUp } from './errors/failed-step-up.ts'
import { messageOf } from './errors/message-of.ts'
import { readRefusedAccount } from './errors/refused-account.ts'
import { findErrorRow } from './errors/table.ts'
import type { ErrorRow } from './errors/table.ts'
import { isOrigin, publicOrigin } from './http/origin.ts'
import { builtInPageUrl, isPageAction, isSamePage, pageUrl, readBasePath } from './http/path.ts'
import type { PageSite, ReplaceablePage, Route } from './http/path.ts'
import { negotiate, respond, withPrivateUrl } from './http/respond.ts'
import { asRecord } from './is-record.ts'
import type { Logger } from './log/logger.ts'
import type { Problem } from './log/problem.ts'
import { findReference } from './log/reference.ts'
import { runsInDevelopment } from './config/variables.ts'

interface ErrorDescription {
  /** The type of the error if it is exposed, else whether a retry can succeed. */
  readonly error: string
  readonly row: ErrorRow
  /** A detail beyond the type: the `code` of a `CredentialsSignin`, or that of the row. */
  readonly code: string | undefined
  /** Replaces the message for the type. */
  readonly message: string | undefined
  /** Names the error in the log. */
  readonly reference: string | undefined
  /** Name or address of the account that was refused. */
  readonly account: string | undefined
  /** The step-up or second step in which the error occurred. */
  readonly stepUp: ReturnType<typeof readFailedStepUp>
  /** For clients (RFC 9110 §10.2.1, §10.2.3). */
  readonly headers: Readonly<Record<string, string>>
  /** What the log contains, for the page. Only in development. */
  readonly problem: Problem | null
}

/** For errors that have no row in the error table. */
const UNFORESEEN: ErrorRow = { status: 500, page: 'error', type: 'hidden', level: 'error' }

function readText(source: unknown, key: string): string | undefined {
  const value = asRecord(source)[key]
  return typeof value === 'string' && value ? value : undefined
}

async function describeError(error: Error): Promise<ErrorDescription> {
  const row = findErrorRow(error) ?? UNFORESEEN
  const type = readText(error, 'type')
  const allow = readText(error.cause, 'allow')
  const hidden = row.retryable ? 'TemporarilyUnavailable' : 'Configuration'
  return {
    error: (row.type === 'exposed' && type) || hidden,
    row,
    code: type === 'CredentialsSignin' ? readText(error, 'code') : row.code,
    message: type === 'UnknownAction' ? readText(error.cause, 'publicMessage') : undefined,
    reference: findReference(error),
    account: readRefusedAccount(error),
    stepUp: readFailedStepUp(error),
    problem: runsInDevelopment() ? (await import('./log/problem.ts')).describeProblem(error) : null,
    headers: {
      ...(row.status === 503 && { 'retry-after': '2' }),
      ...(row.status === 405 && allow !== undefined && { allow }),
      ...((error instanceof TooManyAttempts || error instanceof StepUpRequired) && error.headers),
    },
  }
}

function messageFor({ error, row, message }: ErrorDescription): string {
  return message ?? messageOf(row.code ?? error)
}

function jsonError(description: ErrorDescription): Reply {
  const { error, row, code, headers } = description
  const { status, retryable = false } = row
  return { status, body: { error, message: messageFor(description), code, retryable }, headers }
}

export interface FailedRequest {
  readonly request: Request
  readonly url: URL
  readonly config: AuthConfig
  readonly log: Logger
  readonly route: Route | null
  /** Missing if the configuration is invalid or the host is not trusted. */
  readonly ctx: SessionContext | undefined
}

/** Routes that only programs request. */
const PROGRAM_ACTION = /^(?:session|csrf|providers|webauthn-options|backchannel-logout)$/

/** Redacts an unknown error, and wraps that of the callback route; every other error is returned unchanged. */
export function normalizeError(error: unknown, { route, ctx }: FailedRequest): Error {
  if (error instanceof Error && findErrorRow(error)) return error
  const redacted = ctx ? ctx.secrets.redact(error) : error
  const unknown = 'The thrown value is not an Error.'
  const cause = redacted instanceof Error ? redacted : new Error(unknown)
  if (route?.action !== 'callback') return cause
  return new CallbackRouteError('An unexpected error occurred in the callback route.', { cause })
}

async function builtInErrorPage(
  { error, row: { status }, headers, message, reference, problem }: ErrorDescription,
  theme: Theme = {},
  ctx?: SessionContext,
): Promise<Reply> {
  const { errorPage } = await import('./pages/message-pages.ts')
  const site = ctx && {
    host: new URL(ctx.origin).host,
    signInUrl: pageUrl('signIn', ctx).href,
    homeUrl: ctx.origin,
  }
  return {
    status,
    html: errorPage({ theme, error, message, reference, problem, ...site }),
    headers,
  }
}

/** Whether a redirect to the page would loop: the page is this route, or has sent the browser here. */
function isLoop({ url, ctx }: FailedRequest, page: string): boolean {
  const origin = ctx?.origin ?? url.origin
  return [url.pathname, url.searchParams.get('callbackUrl')].some((place) => {
    if (!place || !URL.canParse(place, origin)) return false
    const here = new URL(place, origin)
    // Without a known origin, a relative path is resolved against the URL it is compared with.
    const base = ctx?.origin ?? here
    return URL.canParse(page, base) && isSamePage(new URL(page, base), here)
  })
}

/** Placeholder for an unknown origin; removed from the redirect again. */
const NOWHERE = 'https://relative.invalid'

/** The public origin if the trust settings determine it, even if the rest of the configuration is invalid. */
function trustedOrigin({ url, request, config }: FailedRequest): string {
  try {
    const { origin: configured, trustHost, trustedHosts } = config
    const policy = { trustHost: trustHost === true, trustedHosts }
    const origin = configured?.replace(/\/$/, '') || publicOrigin(url, request.headers, policy)
    return isOrigin(origin) ? origin : NOWHERE
  } catch {
    // The request already fails, with this error or a more important one.
    return NOWHERE
  }
}

/** Without a context, the origin may be unknown and the pages may not be URLs. */
function findPageSite(failed: FailedRequest): PageSite {
  if (failed.ctx) return failed.ctx
  const { config } = failed
  const isUrl = ([, page = '']: [string, string?]) => page && URL.canParse(page, NOWHERE)
  const pages = Object.entries(config.pages ?? {}).filter(isUrl)
  const site = { basePath: readBasePath(config), pages: Object.fromEntries(pages) }
  return { origin: trustedOrigin(failed), config: site }
}

/** For the built-in page, which the next request opens. */
async function rememberDetails(
  page: 'signIn' | 'error',
  { error, reference, account, problem }: ErrorDescription,
  { ctx }: FailedRequest,
): Promise<void> {
  if (!ctx || ctx.config.pages[page]) return
  const details = { ...(reference && { reference }), ...(account && { account }) }
  if (page === 'error' && Object.keys(details).length > 0)
    await setSealedCookie(ctx, 'form', { form: 'error', values: { error, ...details } })
  if (problem) await addProblem(ctx, error, problem)
}

/** The page of a step-up has the requirement, so that the user can try again. */
async function locatePage(
  page: ReplaceablePage,
  { stepUp }: ErrorDescription,
  failed: FailedRequest,
): Promise<URL> {
  const site = findPageSite(failed)
  // The built-in page redirects to that of the application.
  if (page === 'stepUp' && typeof stepUp === 'string') {
    const url = builtInPageUrl(page, site)
    if (stepUp === 'recovery') url.searchParams.set(stepUp, 'true')
    return url
  }
  if (page !== 'stepUp' || typeof stepUp !== 'object' || !failed.ctx) return pageUrl(page, site)
  const { stepUpUrl } = await import('./assurance/step-up.ts')
  return new URL(await stepUpUrl(failed.ctx, stepUp.stepUp, stepUp.returnTo))
}

/** Redirects to a page; to a path without origin if the origin is unknown, because the Host header may be forged. */
async function redirectToPage(
  page: 'signIn' | 'stepUp' | 'verifyRequest' | 'error',
  description: ErrorDescription,
  failed: FailedRequest,
): Promise<Reply> {
  const { error, code, headers } = description
  const url = await locatePage(page, description, failed)
  const { providerId } = failed.route ?? {}
  if (page === 'signIn' || page === 'error') await rememberDetails(page, description, failed)
  else if (page === 'verifyRequest' && providerId !== undefined) {
    url.searchParams.set('provider', providerId)
    url.searchParams.set('type', 'email')
  }
  url.searchParams.set('error', error)
  if (code !== undefined) url.searchParams.set('code', code)
  const { 'retry-after': seconds } = headers
  if (error === 'TooManyAttempts' && seconds) url.searchParams.set('retryAfter', seconds)
  return { status: 302, redirect: url.href.replace(NOWHERE, '') }
}

async function errorPageReply(description: ErrorDescription, failed: FailedRequest) {
  const page = findPageSite(failed).config.pages.error
  if (page && !isLoop(failed, page)) return redirectToPage('error', description, failed)
  if (page)
    failed.log.error(
      new ErrorPageLoop(
        `pages.error (${page}) redirects to the page that failed. Set it to a page that does not require a session.`,
      ),
    )
  return builtInErrorPage(description, failed.config.theme, failed.ctx)
}

/** Whether the proof of a sign-in was rejected, so that another one may be accepted. */
function isOfProof({ page }: ErrorRow, { error }: ErrorDescription): boolean {
  return page === 'signIn' || error === 'WebAuthnVerificationError'
}

async function selectReply(description: ErrorDescription, failed: FailedRequest): Promise<Reply> {
  const { route, ctx } = failed
  const { headers, method } = failed.request
  const { stepUp, row } = description
  const page = stepUp && isOfProof(row, description) ? 'stepUp' : row.page
  const format = negotiate(headers)
  // OpenID Connect Back-Channel Logout 1.0 §2.8.
  if (route?.action === 'backchannel-logout' && description.row.status === 400)
    return { status: 400, body: { error: 'invalid_request' } }
  if (PROGRAM_ACTION.test(route?.action ?? '') || format === 'json') return jsonError(description)
  const isShown = (method === 'GET' || method === 'HEAD') && isPageAction(route?.action)
  const target = page === 'none' || isShown ? 'error' : page
  if (format === 'url') return redirectToPage(target, description, failed)
  if (isShown) return errorPageReply(description, failed)
  if (page !== 'none' && ctx) return redirectToPage(target, description, failed)
  const readsHtml = headers.get('accept')?.includes('text/html')
  return readsHtml ? errorPageReply(description, failed) : jsonError(description)
}

export async function failureReply(error: Error, failed: FailedRequest): Promise<Reply> {
  const description = await describeError(error)
  const { log } = failed
  let reply: Reply
  try {
    reply = await selectReply(description, failed)
  } catch (cause) {
    // The page could not be loaded, as in an incomplete deployment; the response needs no page.
    log.error(cause instanceof Error ? cause : new Error(String(cause)))
    reply = jsonError(description)
  }
  log.debug?.('request answered', { status: reply.status })
  return failed.route?.action === 'callback' ? withPrivateUrl(reply) : reply
}

/** The built-in error page, or its message as plain text, for a request whose session cannot be read. */
export async function sessionFailureResponse(
  error: Error,
  request: Request,
  { reads, theme }: { readonly reads: 'page' | 'text'; readonly theme: Theme | undefined },
): Promise<Response> {
  const description = await describeError(error)
  if (reads === 'page') {
    const reply = await builtInErrorPage(description, theme)
    return respond(reply, createJar(null), request)
  }
  const { row, headers } = description
  // Next.js shows the text of a failed server action only if its content type has no charset.
  const all = { ...headers, 'content-type': 'text/plain' }
  return new Response(messageFor(description), { status: row.status, headers: all })
}
