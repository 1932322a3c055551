/** Signing in, signing out and changing the session: what is needed after a click, and not before. */
import { readOptions } from '../call-options.ts'
import { parseURL, withoutError } from '../errors/address.ts'
import type { PublicProvider, Session } from '../types.ts'
import { ClientFetchError } from './fetch-error.ts'
import type { Answer, Routes } from './routes.ts'
import type {
  SignInAuthorizationParams,
  SignInOptions,
  SignInResponse,
  SignOutOptions,
  SignOutResponse,
} from './types.ts'

/** What came of a form. */
export interface Outcome<T> {
  readonly result: T
  /** Whether the browser is on its way to another page. */
  readonly leaves: boolean
  /** Whether somebody else is signed in now, or nobody. */
  readonly isChange: boolean
}

/** A sign-in as it is started: what the caller learns of it, and where the browser goes. */
interface Beginning {
  readonly result: SignInResponse
  readonly target: string
  readonly isChange: boolean
}

/** What the routes answer to a form. */
type FormAnswer = Answer<{ readonly url?: unknown; readonly error?: unknown } | null>

/** Leads the browser to another page. */
function go(url: string): void {
  const { location } = globalThis
  if (!location) return
  const [page, hash] = new URL(url, location.href).href.split('#')
  const [here] = location.href.split('#')
  location.assign(url)
  // The browser does not load a page again whose address differs after the # alone.
  if (page === here && hash !== undefined) location.reload()
}

/** Where the browser is. */
function currentPage({ origin }: Routes): string {
  return globalThis.location?.href ?? origin
}

async function readToken(routes: Routes): Promise<string> {
  const { csrfToken } = await routes.read<{ csrfToken: string }>('csrf')
  return csrfToken
}

/** Sends a form that is answered with a URL instead of a redirect. */
async function post(
  routes: Routes,
  route: string,
  fields: Record<string, string>,
): Promise<FormAnswer> {
  const csrfToken = await readToken(routes)
  return routes.ask(route, {
    method: 'POST',
    headers: { 'x-auth-return-redirect': '1' },
    body: new URLSearchParams({ ...fields, csrfToken }),
  })
}

/** The URL a form was answered with, if there is one. */
function urlOf(routes: Routes, { body }: FormAnswer): URL | undefined {
  return typeof body?.url === 'string' ? parseURL(body.url, currentPage(routes)) : undefined
}

/** A sign-in that failed before there was a page to show. */
function failed({ url }: Routes, error: string, status: number): Beginning {
  const result = { error, code: undefined, status, ok: false, url: null }
  return { result, target: `${url}/error?${new URLSearchParams({ error })}`, isChange: false }
}

async function beginAt(
  { id, type }: PublicProvider,
  routes: Routes,
  fields: Record<string, string>,
  query: URLSearchParams,
): Promise<Beginning> {
  const hasPassword = type === 'credentials'
  const step = hasPassword ? 'callback' : 'signin'
  const answer = await post(routes, `${step}/${id}?${query}`, fields)
  const { ok, status, body } = answer
  const url = urlOf(routes, answer)
  if (!url) {
    const error = typeof body?.error === 'string' ? body.error : 'Configuration'
    return failed(routes, error, status)
  }
  const { href: target, searchParams } = url
  const error = searchParams.get('error')
  if (error === null) {
    const result = { error: undefined, code: undefined, status, ok, url: target }
    return { result, target, isChange: hasPassword }
  }
  const code = searchParams.get('code') ?? undefined
  return { result: { error, code, status, ok, url: null }, target, isChange: false }
}

async function begin(
  provider: string | undefined,
  routes: Routes,
  fields: Record<string, string> & { readonly callbackUrl: string },
  query: URLSearchParams,
): Promise<Beginning> {
  try {
    const providers =
      provider === undefined ? {} : await routes.read<Record<string, PublicProvider>>('providers')
    const known = Object.entries(providers).find(([id]) => id === provider)?.[1]
    if (known) return await beginAt(known, routes, fields, query)
    const { callbackUrl } = fields
    const page = `${routes.url}/signin?${new URLSearchParams({ callbackUrl })}`
    const result = { error: undefined, code: undefined, status: 200, ok: true, url: page }
    return { result, target: page, isChange: false }
  } catch (error) {
    if (!(error instanceof ClientFetchError)) throw error
    console.error(error)
    return failed(routes, 'Configuration', error.status ?? 0)
  }
}

/** Starts a sign-in, or leads to the sign-in page. */
export async function signIn(
  routes: Routes,
  provider?: string,
  options?: FormData | SignInOptions,
  authorizationParams?: SignInAuthorizationParams,
): Promise<Outcome<SignInResponse>> {
  const { redirects, redirectTo, fields } = readOptions(options)
  const form = { ...fields(), callbackUrl: redirectTo ?? withoutError(currentPage(routes)) }
  const query = new URLSearchParams(authorizationParams)
  const { result, target, isChange } = await begin(provider, routes, form, query)
  if (redirects) go(target)
  return { result, leaves: redirects, isChange }
}

/** Signs out. */
export async function signOut(
  routes: Routes,
  options?: FormData | SignOutOptions,
): Promise<Outcome<SignOutResponse>> {
  const { redirects, redirectTo } = readOptions(options)
  const callbackUrl = redirectTo ?? withoutError(currentPage(routes))
  const answer = await post(routes, 'signout', { callbackUrl })
  const { status } = answer
  const url = urlOf(routes, answer)?.href
  if (url === undefined)
    throw new ClientFetchError(`signout answered with ${status} without a URL.`, {
      status,
    })
  if (redirects) go(url)
  return { result: { url }, leaves: redirects, isChange: true }
}

/** Has the session changed with this data. */
export async function update(routes: Routes, data: unknown): Promise<Session | null> {
  const csrfToken = await readToken(routes)
  return routes.read('session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ csrfToken, data }),
  })
}
