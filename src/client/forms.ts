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

export interface Outcome<T> {
  readonly result: T
  readonly leaves: boolean
  /** Whether another user, or no user, is signed in afterwards. */
  readonly isChange: boolean
}

interface Beginning {
  readonly result: SignInResponse
  readonly target: string
  readonly isChange: boolean
}

type FormAnswer = Answer<{ readonly url?: unknown; readonly error?: unknown } | null>

function go(url: string): void {
  const { location } = globalThis
  if (!location) return
  const [page, hash] = new URL(url, location.href).href.split('#')
  const [here] = location.href.split('#')
  location.assign(url)
  // A URL that differs only in its fragment does not reload the page.
  if (page === here && hash !== undefined) location.reload()
}

function currentPage({ origin }: Routes): string {
  return globalThis.location?.href ?? origin
}

async function readToken(routes: Routes): Promise<string> {
  const { csrfToken } = await routes.read<{ csrfToken: string }>('csrf')
  return csrfToken
}

/** Requests the URL as JSON instead of a redirect. */
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

function urlOf(routes: Routes, { body }: FormAnswer): URL | undefined {
  return typeof body?.url === 'string' ? parseURL(body.url, currentPage(routes)) : undefined
}

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

export async function update(routes: Routes, data: unknown): Promise<Session | null> {
  const csrfToken = await readToken(routes)
  return routes.read('session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ csrfToken, data }),
  })
}
