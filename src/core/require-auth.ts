import { assuranceOf, meets } from './assurance/requirement.ts'
import type { Assurance, Assured, AuthRequirement, LevelOf } from './assurance/assured.ts'
import { lazily } from './async/cache.ts'
import { answer, toResult } from './call-result.ts'
import { checkConfig } from './config/check-config.ts'
import type { Answer, CallResult } from './call-result.ts'
import { readSource } from './checks/source.ts'
import { checkKept, isPlainObject, parseRequirement } from './config/requirement.ts'
import type { AuthConfig } from './config/types.ts'
import type { SessionContext, Subject } from './contracts.ts'
import { SessionRequired, StepUpRequired } from './errors/classes.ts'
import { parseURL, withoutError } from './errors/url.ts'
import { pageUrl } from './http/path.ts'
import { readRequest } from './http/read-headers.ts'
import type { ReadRequest, RequestLike } from './http/read-headers.ts'
import type { Session } from './types.ts'

/** Options of `requireAuth`. */
export interface RequireAuthOptions extends AuthRequirement {
  /**
   * Where the user returns after the sign-in: a path of the site. @default the page of the request, or that which sent it
   */
  readonly redirectTo?: string | undefined
}

const loadStepUp = lazily(() => import('./assurance/step-up.ts'))

/** Where the user goes on: a page that they opened, else the one whose form or script sent the request. */
function findPage({ headers, url, method }: ReadRequest, origin: string): string | undefined {
  const destination = headers.get('sec-fetch-dest')
  const isPage = destination
    ? destination === 'document'
    : (headers.get('accept') ?? '').includes('text/html')
  const isGet = method === undefined || method === 'GET'
  if (isPage && isGet && url instanceof URL) return origin + url.pathname + url.search
  const referer = headers.get('referer') ?? ''
  const isOwn = readSource(headers, origin) !== 'foreign' && parseURL(referer)?.origin === origin
  return isOwn ? withoutError(referer) : undefined
}

/** `Bearer`, as RFC 9470 §3 has no other scheme. */
function describeChallenge({ acr, maxAge }: AuthRequirement): string {
  const parts = [
    'Bearer error="insufficient_user_authentication"',
    'error_description="The user has to authenticate again"',
    ...(acr ? [`acr_values="${acr.join(' ')}"`] : []),
    ...(maxAge === undefined ? [] : [`max_age="${Math.floor(maxAge)}"`]),
  ]
  return parts.join(', ')
}

function signInUrl(ctx: SessionContext, returnTo: string | undefined): string {
  const url = pageUrl('signIn', ctx)
  if (returnTo !== undefined) url.searchParams.set('callbackUrl', returnTo)
  return url.href
}

interface Missing {
  readonly need: AuthRequirement
  readonly has: Assurance
  readonly returnTo: string | undefined
}

/** For the log. */
function describeMissing({ need, has: { level, amr, acr, via, authTime } }: Missing): string {
  const age = authTime && Math.round((Date.now() - authTime.getTime()) / 1000)
  const has = { level, amr, acr, via, age }
  return `The session does not meet the requirement ${JSON.stringify(need)}: it has ${JSON.stringify(has)}. The user has to authenticate again.`
}

async function stepUpError(
  ctx: SessionContext,
  subject: Subject | null,
  { need, has, returnTo }: Missing,
): Promise<StepUpRequired> {
  const { createStepUp, stepUpUrl } = await loadStepUp()
  // A session that does not tell whose it is cannot be confirmed.
  const url = subject?.id
    ? await stepUpUrl(ctx, await createStepUp(subject, need), returnTo)
    : signInUrl(ctx, returnTo)
  const message = describeMissing({ need, has, returnTo })
  return new StepUpRequired(message, { url, challenge: describeChallenge(need) })
}

/** What a caller of `requireAuth` passes. */
export interface AuthCall {
  /** Its name in errors. */
  readonly caller: string
  readonly options: RequireAuthOptions | undefined
  /** Id of the user of the session that was read before. */
  readonly userId?: string | undefined
}

/** A session that meets a requirement, and its user; `null`: the session does not tell who it is. */
interface AssuredSubject extends Assured {
  readonly subject: Subject | null
}

/** @throws SessionRequired, StepUpRequired */
export async function requireAssured(
  ctx: SessionContext,
  request: ReadRequest,
  { caller, options, userId }: AuthCall,
): Promise<AssuredSubject> {
  const { redirectTo, ...required }: RequireAuthOptions = isPlainObject(options) ? options : {}
  const isOptions = options === undefined || isPlainObject(options)
  const need = parseRequirement(caller, isOptions ? required : options)
  checkKept(caller, need, ctx.config)
  const read = await ctx.config.session.readAssured(ctx)
  const returnTo = redirectTo ?? findPage(request, ctx.origin)
  if (!read)
    throw new SessionRequired('The visitor is not signed in.', { url: signInUrl(ctx, returnTo) })
  const { session, subject } = read
  // A request can have the cookies of several sessions: the one that was read before may have ended since.
  if (userId !== undefined && subject?.id !== userId)
    throw new SessionRequired('The session has ended.', { url: signInUrl(ctx, returnTo) })
  const assurance = subject
    ? assuranceOf(subject)
    : { level: 1 as const, amr: [], acr: null, authTime: null, via: null }
  if (!(await meets(assurance, need)))
    throw await stepUpError(ctx, subject, { need, has: assurance, returnTo })
  return { session, assurance, subject }
}

/** Logs the error that it throws. */
export async function callForAuth(
  request: ReadRequest,
  config: AuthConfig,
  call: AuthCall,
): Promise<Answer<Assured>> {
  return answer({ caller: request, config, access: 'reads' }, async (ctx) => {
    const { session, assurance } = await requireAssured(ctx, request, call)
    return { session, assurance }
  })
}

/**
 * Returns the session of a user who is signed in, and how they were authenticated, if that meets the requirement.
 *
 * @param request - as for `getSession`
 * @throws SessionRequired if the visitor is not signed in
 * @throws StepUpRequired if the user has to authenticate again; its `url` is the page for that
 * @throws InvalidConfiguration if an option is not valid, or sessions do not keep what it needs (`session.assurance`)
 * @throws the errors of `getSession`
 * @example
 * ```ts
 * import { requireAuth } from 'lib-auth'
 * import type { AuthConfig } from 'lib-auth'
 *
 * export async function removeAccount(request: Request, config: AuthConfig): Promise<Response> {
 *   const { value } = await requireAuth(request, config, { maxAge: 15 * 60 })
 *   return Response.json({ removed: value.session.user?.email })
 * }
 * ```
 */
export async function requireAuth<const Options extends RequireAuthOptions = RequireAuthOptions>(
  request: RequestLike,
  config: AuthConfig,
  options?: Options,
): Promise<CallResult<Assured<Session, LevelOf<Options>>>>
export async function requireAuth(
  request: RequestLike,
  config: AuthConfig,
  options?: RequireAuthOptions,
): Promise<CallResult<Assured>> {
  checkConfig(config, 'requireAuth(request, config)')
  const call = { caller: 'requireAuth', options }
  return toResult(await callForAuth(readRequest(request), config, call))
}
