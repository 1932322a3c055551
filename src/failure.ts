import { normalizeBasePath } from './base-path.ts'
import { trustOf } from './config/trust.ts'
import type { AuthConfig } from './config/types.ts'
import type { Reply, ResolvedConfig } from './contracts.ts'
import { BASE_PATH } from './defaults.ts'
import { ErrorPageLoop } from './errors/configuration.ts'
import { CallbackRouteError } from './errors/sign-in.ts'
import { rowOf } from './errors/table.ts'
import { explain, explainByRedirect, explainToProgram, isPage, pageUrl } from './http/explain.ts'
import type { Explanation, Site } from './http/explain.ts'
import { isOrigin, publicOrigin } from './http/origin.ts'
import { isSamePage, parsePath } from './http/path.ts'
import { unseen } from './http/unseen.ts'
import { wanted } from './http/wanted.ts'
import { report } from './log/report.ts'
import type { AuthAction } from './types.ts'

export interface Progress {
  readonly request: Request
  readonly url: URL
  readonly config: AuthConfig
  resolved?: ResolvedConfig
  origin?: string
}

/** Routes that only programs request. */
const PROGRAM_ACTIONS: ReadonlySet<AuthAction | undefined> = new Set([
  'session',
  'csrf',
  'providers',
  'webauthn-options',
])

function basePathOf({ basePath = BASE_PATH }: AuthConfig): string {
  return normalizeBasePath(basePath)
}

function actionOf({ url, config }: Progress): AuthAction | undefined {
  return parsePath(url.pathname, basePathOf(config))?.action
}

function siteOf({ origin, resolved }: Progress): Site | null {
  if (origin === undefined || !resolved) return null
  return { origin, basePath: resolved.basePath, pages: resolved.pages }
}

/** Wraps an unknown error of the callback route; every other error is returned as it is. */
export function asKnown(error: unknown, progress: Progress): Error {
  if (error instanceof Error && rowOf(error)) return error
  const cause = error instanceof Error ? error : new Error(String(error))
  if (actionOf(progress) !== 'callback') return cause
  return new CallbackRouteError('An unexpected error occurred in the callback route.', { cause })
}

async function inPlace(
  { error, status, headers, message }: Explanation,
  progress: Progress,
): Promise<Reply> {
  const { errorPage } = await import('./pages/error.ts')
  const site = siteOf(progress)
  const links = site && { signInUrl: pageUrl('signIn', site).href, homeUrl: site.origin }
  const html = errorPage({ theme: progress.config.theme ?? {}, error, message, ...links })
  return { status, html, ...(headers && { headers }) }
}

/** Whether a redirect to the page would loop: the page is this route, or has sent the browser here. */
function isLoop(progress: Progress, page: string): boolean {
  const { url } = progress
  const origin = siteOf(progress)?.origin
  return [url.pathname, url.searchParams.get('callbackUrl')].some((place) => {
    if (!place || !URL.canParse(place, origin ?? url.origin)) return false
    const here = new URL(place, origin ?? url.origin)
    // Without a known origin, a relative path is resolved against the URL it is compared with.
    const base = origin ?? here
    return URL.canParse(page, base) && isSamePage(new URL(page, base), here)
  })
}

/** Placeholder for an unknown origin; removed from the redirect again. */
const NOWHERE = 'https://relative.invalid'

/** The public origin if the trust settings determine it, even if the rest of the configuration is invalid. */
function trustedOrigin({ origin, url, request, config }: Progress): string | undefined {
  if (origin !== undefined) return origin
  try {
    const found = publicOrigin(url, request.headers, trustOf(config))
    return isOrigin(found) ? found : undefined
  } catch {
    // The request already fails, with this error or a more important one.
    return undefined
  }
}

/** Validation may have failed, so pages that are not URLs are dropped. */
function usablePages({ pages = {} }: AuthConfig): Site['pages'] {
  return Object.fromEntries(
    Object.entries(pages).filter(([, page]) => page && URL.canParse(page, NOWHERE)),
  )
}

/** Redirects to a page; to a path without origin if the origin is unknown, because the Host header may be forged. */
function leadTo(page: 'signIn' | 'error', explanation: Explanation, progress: Progress): Reply {
  const { config } = progress
  const reply = explainByRedirect(explanation, page, {
    origin: trustedOrigin(progress) ?? NOWHERE,
    basePath: basePathOf(config),
    pages: usablePages(config),
  })
  return { ...reply, redirect: reply.redirect.replace(NOWHERE, '') }
}

/** The error page of the application, unless it has none or the redirect would loop. */
function onPage(explanation: Explanation, progress: Progress): Promise<Reply> | Reply {
  const page = usablePages(progress.config).error
  if (!page) return inPlace(explanation, progress)
  if (!isLoop(progress, page)) return leadTo('error', explanation, progress)
  report(
    new ErrorPageLoop(
      `pages.error (${page}) redirects to the page that failed. Set it to a page that does not require a session.`,
    ),
    progress,
  )
  return inPlace(explanation, progress)
}

function answerTo(explanation: Explanation, progress: Progress): Promise<Reply> | Reply {
  const { headers, method } = progress.request
  const { page } = explanation.row
  const action = actionOf(progress)
  const wants = wanted(headers)
  if (PROGRAM_ACTIONS.has(action) || wants === 'json') return explainToProgram(explanation)
  const isShown = (method === 'GET' || method === 'HEAD') && isPage(action)
  const target = page === 'signIn' && !isShown ? 'signIn' : 'error'
  if (wants === 'url') return leadTo(target, explanation, progress)
  if (isShown) return onPage(explanation, progress)
  if (page !== 'none' && siteOf(progress)) return leadTo(target, explanation, progress)
  const readsHtml = headers.get('accept')?.includes('text/html')
  return readsHtml ? onPage(explanation, progress) : explainToProgram(explanation)
}

export async function answerFailure(error: Error, progress: Progress): Promise<Reply> {
  const explanation = explain(error)
  let reply: Reply
  try {
    reply = await answerTo(explanation, progress)
  } catch (cause) {
    // The page could not be loaded, as in an incomplete deployment; the response needs no page.
    report(cause instanceof Error ? cause : new Error(String(cause)), progress)
    reply = explainToProgram(explanation)
  }
  progress.resolved?.log.debug?.('request answered', { status: reply.status })
  return actionOf(progress) === 'callback' ? unseen(reply) : reply
}
