/** Signs in and out by posting forms to the built-in routes. */
import { readOptions } from '../../core/http/call-options.ts'
import { parseURL, withoutError } from '../../core/errors/url.ts'
import type { PublicProvider, Session } from '../../core/types.ts'
import { ClientFetchError } from './routes.ts'
import type { JsonResponse, Routes } from './routes.ts'
import type { Client, SignInResponse, SignOutResponse } from './types.ts'

export interface FormResult<T> {
  readonly result: T
  readonly isRedirecting: boolean
  /** Whether another user, or no user, is signed in afterwards. */
  readonly changesUser: boolean
}

/** A sign-in that was sent, and where it leads. */
export interface StartedSignIn extends Omit<FormResult<SignInResponse>, 'isRedirecting'> {
  readonly target: string
}

type FormResponse = JsonResponse<{ readonly url?: unknown; readonly error?: unknown } | null>
type Fields = Readonly<Record<string, string>>

export function navigate(url: string): void {
  const { location } = globalThis
  if (!location) return
  const [page, hash] = new URL(url, location.href).href.split('#')
  const [currentUrl] = location.href.split('#')
  location.assign(url)
  // A URL that differs only in its fragment does not reload the page.
  if (page === currentUrl && hash !== undefined) location.reload()
}

export function currentPage({ origin }: Routes): string {
  return globalThis.location?.href ?? origin
}

export async function readCsrfToken(routes: Routes): Promise<string> {
  const { csrfToken } = await routes.readJson<{ csrfToken: string }>('csrf')
  return csrfToken
}

/** Requests the URL as JSON instead of a redirect. */
async function postForm(routes: Routes, route: string, fields: Fields): Promise<FormResponse> {
  const csrfToken = await readCsrfToken(routes)
  return routes.send(route, {
    method: 'POST',
    headers: { 'x-auth-return-redirect': '1' },
    body: new URLSearchParams({ ...fields, csrfToken }),
  })
}

function redirectUrl(routes: Routes, { body }: FormResponse): URL | undefined {
  return typeof body?.url === 'string' ? parseURL(body.url, currentPage(routes)) : undefined
}

export function failedSignIn({ url }: Routes, error: string, status: number): StartedSignIn {
  const result = { error, code: undefined, status, ok: false, url: null }
  return { result, target: `${url}/error?${new URLSearchParams({ error })}`, changesUser: false }
}

function retryAfterIn(query: URLSearchParams): number | undefined {
  return Number(query.get('retryAfter')) || undefined
}

/** Sends the form of a sign-in; the URL of the response contains the error. */
export async function postSignIn(
  routes: Routes,
  route: string,
  { fields, isLast }: { readonly fields: Fields; readonly isLast: boolean },
): Promise<StartedSignIn> {
  const response = await postForm(routes, route, fields)
  const { ok, status, body } = response
  const url = redirectUrl(routes, response)
  if (!url) {
    const reported = typeof body?.error === 'string' ? body.error : 'Configuration'
    return failedSignIn(routes, reported, status)
  }
  const { href: target, searchParams } = url
  const error = searchParams.get('error')
  const code = searchParams.get('code') ?? undefined
  const result: SignInResponse =
    error === null
      ? { error: undefined, code: undefined, status, ok, url: target }
      : { error, code, status, ok, url: null, retryAfter: retryAfterIn(searchParams) }
  return { result, target, changesUser: isLast && error === null }
}

function startWithProvider(
  { id, type }: PublicProvider,
  routes: Routes,
  fields: Fields,
  query: URLSearchParams,
): Promise<StartedSignIn> {
  const isLast = type === 'credentials' || (type === 'email' && Object.hasOwn(fields, 'code'))
  return postSignIn(routes, `${isLast ? 'callback' : 'signin'}/${id}?${query}`, { fields, isLast })
}

async function startSignIn(
  id: string | undefined,
  routes: Routes,
  fields: Fields & { readonly callbackUrl: string },
  query: URLSearchParams,
): Promise<StartedSignIn> {
  try {
    if (id !== undefined) {
      const providers = await routes.readJson<Record<string, PublicProvider>>('providers')
      const provider = Object.hasOwn(providers, id) ? providers[id] : undefined
      // Passkeys need lib-auth/webauthn, or the script of the sign-in page.
      if (provider && provider.type !== 'webauthn')
        return await startWithProvider(provider, routes, fields, query)
    }
    const { callbackUrl } = fields
    const page = `${routes.url}/signin?${new URLSearchParams({ callbackUrl })}`
    const result = { error: undefined, code: undefined, status: 200, ok: true, url: page }
    return { result, target: page, changesUser: false }
  } catch (error) {
    if (!(error instanceof ClientFetchError)) throw error
    console.error(error)
    return failedSignIn(routes, 'Configuration', error.status ?? 0)
  }
}

export async function signIn(
  routes: Routes,
  ...[provider, options, authorizationParams]: Parameters<Client['signIn']>
): Promise<FormResult<SignInResponse>> {
  const { redirects, redirectTo, fields } = readOptions(options)
  const form = { ...fields(), callbackUrl: redirectTo ?? withoutError(currentPage(routes)) }
  const query = new URLSearchParams(authorizationParams)
  const { result, target, changesUser } = await startSignIn(provider, routes, form, query)
  if (redirects) navigate(target)
  return { result, isRedirecting: redirects, changesUser }
}

export async function signOut(
  routes: Routes,
  ...[options]: Parameters<Client['signOut']>
): Promise<FormResult<SignOutResponse>> {
  const { redirects, redirectTo, federated } = readOptions(options)
  const callbackUrl = redirectTo ?? withoutError(currentPage(routes))
  const form = { callbackUrl, ...(federated && { federated }) }
  const response = await postForm(routes, 'signout', form)
  const { status } = response
  const url = redirectUrl(routes, response)?.href
  if (url === undefined)
    throw new ClientFetchError(`signout answered with ${status} and no URL.`, { status })
  if (redirects) navigate(url)
  return { result: { url }, isRedirecting: redirects, changesUser: true }
}

export async function update(routes: Routes, data: unknown): Promise<Session | null> {
  const csrfToken = await readCsrfToken(routes)
  return routes.readJson('session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ csrfToken, data }),
  })
}
