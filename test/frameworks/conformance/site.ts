/** A server of a framework, its configuration, and users with a raw HTTP client. */
import { afterAll } from 'vitest'
import type { AuthConfig, AuthRequirement, Session } from '../../../src/index.ts'
import { AuthError, SessionRequired, StepUpRequired } from '../../../src/errors.ts'
import type { UserPassword } from '../../../src/frameworks/shared/password-functions.ts'
import Credentials from '../../../src/providers/credentials.ts'
import { issuer } from '../../../src/testing/index.ts'
import type { Issuer } from '../../../src/testing/index.ts'
import type { UserFactors } from '../../../src/frameworks/shared/factor-types.ts'
import { oidc, SECRET, silentLog } from '../../config.ts'
import type { Log } from '../../config.ts'
import { rawClient } from '../raw-client.ts'
import type { Answer, RawClient } from '../raw-client.ts'

/** The configuration of a wrapper, without the types of its framework. */
export interface SiteConfig extends AuthConfig {
  callbacks?: NonNullable<AuthConfig['callbacks']> & {
    authorized?: (params: { auth: unknown; url: URL }) => boolean | Response
  }
}

export interface Rules {
  readonly allow?: (session: Session) => boolean
  readonly requires?: AuthRequirement
}

/** How a server is started. */
export interface SiteOptions {
  readonly config: SiteConfig | (() => SiteConfig | Promise<SiteConfig>)
  /** Body parsers of the framework in front of the routes. */
  readonly parsers?: boolean
  /** The options of `protect` on `/guarded/data`. */
  readonly rules?: Rules
}

/** A running server. */
export interface RunningSite {
  readonly origin: string
  readonly stop: () => Promise<void>
}

/**
 * Starts a server with the routes `/me` (session as JSON, `auth` twice), `/page` (HTML with the name), `/guarded`
 * (`protect`), `/guarded/data` (`protect` with `rules`), `/login`, `/logout`, `/update` and `/scopes` (calls; `/scopes?stay`
 * without the redirect), `/token` (an access token as JSON; `/token?late` after the response has begun), `/sessions`
 * (GET: those of the user; POST: ends the one of `?sid`, or all others), `/assured` (`requireAuth`; `/assured?thrown`
 * leaves its error to the framework), `/accounts` (GET: those of the user; POST: links one at `op`, with `?unlink` unlinks
 * the one of `other` with this id, with `?remove` deletes the user, with `?password` calls a function of `password`, with
 * `?email` changes the address or, if that is empty, cancels it; GET with `?pending`: the change that waits), `/factors` (GET: those of the user; POST: the `call` of the
 * query), and `/own` (an own cookie before and after `auth`, cached publicly).
 */
export type StartSite = (options: SiteOptions) => Promise<RunningSite>

/** What `/token` responds if there is no token. */
export function describeTokenError(error: unknown): object {
  const { type, code } = Object(error)
  return { type, code }
}

/** What `/assured` responds to an error of `requireAuth`, as the guide says. */
export function answerRequirement(error: unknown): {
  status: number
  headers: Readonly<Record<string, string>>
  body: { error: string; url: string }
} {
  if (!(error instanceof StepUpRequired || error instanceof SessionRequired)) throw error
  const { status, headers, type, url } = error
  return { status, headers, body: { error: type, url } }
}

/** What `/accounts` responds to an error of `account`, as the guide says. */
export function answerAccountError(error: unknown): {
  status: number
  headers: Readonly<Record<string, string>>
  body: { error: string }
} {
  if (!(error instanceof AuthError)) throw error
  const { status, headers, type } = error
  return { status, headers, body: { error: type } }
}

/** Calls the function of `password` that `/accounts?password=` names, with its fields. */
export async function callPassword<Args extends readonly unknown[]>(
  password: UserPassword<Args>,
  text: string,
  ...args: Args
): Promise<unknown> {
  const { call, ...fields }: { call: keyof UserPassword<Args> } = JSON.parse(text)
  const result: unknown = await Reflect.apply(password[call], undefined, [...args, fields])
  return result ?? null
}

type Factors = UserFactors<[]>

/** What `/factors` responds, given the functions for this request. */
export async function answerFactors(
  { method, query }: { readonly method: string; readonly query: URLSearchParams },
  factors: Factors,
): Promise<{ status: number; headers: Readonly<Record<string, string>>; body: unknown }> {
  const [id, code] = [query.get('id') ?? '', query.get('code') ?? '']
  const calls: Readonly<Record<string, () => Promise<unknown>>> = {
    list: factors.list,
    enroll: () => factors.enroll({ name: 'Phone' }),
    confirm: () => factors.confirm({ id, code }),
    remove: () => factors.remove(id),
    renew: factors.renewRecoveryCodes,
  }
  try {
    const body = await calls[method === 'GET' ? 'list' : (query.get('call') ?? '')]?.()
    return { status: 200, headers: {}, body }
  } catch (error) {
    return answerAccountError(error)
  }
}

/** Waits until the head of a response has been sent, reads, and sends the result as JSON. */
export function streamLate(read: () => Promise<object>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async start(controller) {
      // JSON may begin with a space.
      controller.enqueue(new TextEncoder().encode(' '))
      await new Promise((resolve) => setTimeout(resolve, 50))
      controller.enqueue(new TextEncoder().encode(JSON.stringify(await read())))
      controller.close()
    },
  })
}

/** The provider of all sites. */
export const op: Issuer = await issuer()

/** Signs in everyone whose password is `right`. */
export function siteConfig(overrides: Partial<SiteConfig> = {}): { config: SiteConfig; log: Log } {
  const { log, logger } = silentLog()
  const credentials = Credentials({
    credentials: { username: {}, password: { type: 'password' } },
    authorize: ({ username, password }) =>
      password === 'right' ? { id: String(username), name: `User ${String(username)}` } : null,
  })
  const config: SiteConfig = {
    providers: [oidc(op), credentials],
    secret: SECRET,
    trustHost: false,
    trustedHosts: ['127.0.0.1:*', 'localhost:*'],
    fetch: op.fetch,
    logger,
    ...overrides,
  }
  return { config, log }
}

/** Signs a user in by form. */
export async function signIn(user: RawClient, username = 'ada'): Promise<Answer> {
  const csrfToken = await user.csrfToken()
  const form = { csrfToken, username, password: 'right' }
  return user.send(`${user.basePath}/callback/credentials`, { form })
}

/** Signs a user in by JSON, which no framework checks the origin of. */
export async function signInByJson(user: RawClient, username = 'ada'): Promise<Answer> {
  const json = { csrfToken: await user.csrfToken(), username, password: 'right' }
  const headers = { 'x-auth-return-redirect': '1' }
  return user.send(`${user.basePath}/callback/credentials`, { json, headers })
}

/** Starts a sign-in at a provider, and lets the user consent. */
export async function consent(
  user: RawClient,
  provider = 'op',
): Promise<Awaited<ReturnType<Issuer['authorize']>> & { begun: Answer }> {
  const form = { csrfToken: await user.csrfToken(), callbackUrl: '/page' }
  const begun = await user.send(`${user.basePath}/signin/${provider}`, { form })
  return { begun, ...(await op.authorize(begun.headers.location ?? '')) }
}

/** Follows a redirect to the site. */
export function follow(user: RawClient, url: string | undefined): Promise<Answer> {
  const { pathname, search } = new URL(url ?? '', 'http://localhost')
  return user.send(pathname + search)
}

/** The name of the user in a session. */
export function nameOf({ body }: Answer): string | undefined {
  return (JSON.parse(body) as { user?: { name?: string } } | null)?.user?.name
}

/** Whether a Set-Cookie header is that of a session. */
export const isSession = (cookie: string) => cookie.includes('session-token=')

/** An open site; `user` opens a browser without cookies. */
export interface OpenSite extends RunningSite {
  readonly log: Log
  /** @param address - the origin in the address bar, if a reverse proxy is in front of the server */
  user(address?: string): RawClient
}

/** Opens a site that is closed after the tests. */
export interface Open {
  (options?: Partial<SiteOptions> & { readonly overrides?: Partial<SiteConfig> }): Promise<OpenSite>
  /** Of the routes. */
  readonly basePath: string
  /** Where the rows read more of a session than the name. */
  readonly data: string
  /** Whether the server is a recipe: it has one page, which greets the user, and no `protect`. */
  readonly isRecipe: boolean
}

/** Shows the page of a recipe, `Hello, …`, as the pages `/me` and `/page` of the suite. */
function ofRecipe(user: RawClient): RawClient {
  return {
    ...user,
    async send(path, request) {
      if (path !== '/me' && path !== '/page') return user.send(path, request)
      const answer = await user.send('/', request)
      if (answer.status !== 200) return answer
      const name = /^Hello, (?!stranger$)(.*)$/.exec(answer.body)?.[1]
      const session = JSON.stringify(name === undefined ? null : { user: { name } })
      return { ...answer, body: path === '/me' ? session : `<p>${name}</p>` }
    },
  }
}

export interface OpenerOptions {
  /** Of the routes. @default '/auth' */
  readonly basePath?: string
  readonly isRecipe?: boolean
}

/** Opens sites with the server that `start` starts. */
export function opener(
  start: StartSite,
  { basePath = '/auth', isRecipe = false }: OpenerOptions = {},
): Open {
  const running: RunningSite[] = []
  const clients: RawClient[] = []
  afterAll(async () => {
    for (const client of clients) client.close()
    await Promise.all(running.map((site) => site.stop()))
  })
  const open = async ({ overrides, ...options }: Parameters<Open>[0] = {}): Promise<OpenSite> => {
    const { config, log } = siteConfig(overrides)
    const site = await start({ config, ...options })
    running.push(site)
    const user = (address?: string) => {
      const client = rawClient(site.origin, basePath, address)
      clients.push(client)
      return isRecipe ? ofRecipe(client) : client
    }
    return { ...site, log, user }
  }
  const data = isRecipe ? `${basePath}/session` : '/me'
  return Object.assign(open, { basePath, data, isRecipe })
}
