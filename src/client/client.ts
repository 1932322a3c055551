/** Talks to the built-in routes from a browser; needs nothing but `fetch`. */
import { normalizeBasePath } from '../base-path.ts'
import { readOptions } from '../call-options.ts'
import { withoutError } from '../errors/address.ts'
import type { Fetch, PublicProvider } from '../types.ts'
import { ClientFetchError } from './fetch-error.ts'
import type { Client, ClientOptions, SignInResponse } from './types.ts'

/** A sign-in as it is started: what the caller learns of it, and where the browser goes. */
interface Beginning {
  readonly result: SignInResponse
  readonly target: string
}

/** What the routes answer to a form. */
interface Answer {
  readonly url?: unknown
  readonly error?: unknown
}

function isAnswer(body: unknown): body is Answer {
  return typeof body === 'object' && body !== null
}

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

/** Makes a client. */
export function createClient(options: ClientOptions = {}): Client {
  const { baseUrl = '' } = options
  const routes = baseUrl.replace(/\/$/, '') + normalizeBasePath(options.basePath ?? '/api/auth')
  const send: Fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init))

  const here = () => globalThis.location?.href ?? baseUrl
  /** Where to come back to when nobody says. */
  const back = () => withoutError(here())

  async function ask(route: string, init?: RequestInit): Promise<Response> {
    try {
      return await send(`${routes}/${route}`, init)
    } catch (cause) {
      throw new ClientFetchError(`${route} was not answered.`, { cause })
    }
  }

  async function read<T>(route: string, init?: RequestInit): Promise<T> {
    const response = await ask(route, init)
    const { status } = response
    if (!response.ok) throw new ClientFetchError(`${route} answered with ${status}.`, { status })
    try {
      const body: T = await response.json()
      return body
    } catch (cause) {
      throw new ClientFetchError(`${route} did not answer with JSON.`, { status, cause })
    }
  }

  async function getCsrfToken(): Promise<string> {
    const { csrfToken } = await read<{ csrfToken: string }>('csrf')
    return csrfToken
  }

  const getProviders = () => read<Record<string, PublicProvider>>('providers')

  /** Sends a form that is answered with a URL instead of a redirect. */
  async function post(route: string, fields: Record<string, string>): Promise<Response> {
    return ask(route, {
      method: 'POST',
      headers: { 'x-auth-return-redirect': '1' },
      body: new URLSearchParams({ ...fields, csrfToken: await getCsrfToken() }),
    })
  }

  /** The URL a form was answered with, or the error. */
  async function readAnswer(response: Response): Promise<URL | string> {
    const body: unknown = await response.json().catch(() => null)
    const { url, error } = isAnswer(body) ? body : {}
    const base = here() || undefined
    if (typeof url === 'string' && URL.canParse(url, base)) return new URL(url, base)
    return typeof error === 'string' ? error : 'Configuration'
  }

  /** A sign-in that failed before there was a page to show. */
  function failed(error: string, status: number): Beginning {
    const target = `${routes}/error?${new URLSearchParams({ error })}`
    return { target, result: { error, code: undefined, status, ok: false, url: null } }
  }

  async function beginAt(
    { id, type }: PublicProvider,
    fields: Record<string, string>,
    query: URLSearchParams,
  ): Promise<Beginning> {
    const step = type === 'credentials' ? 'callback' : 'signin'
    const response = await post(`${step}/${id}?${query}`, fields)
    const url = await readAnswer(response)
    if (typeof url === 'string') return failed(url, response.status)
    const error = url.searchParams.get('error') ?? undefined
    const code = error === undefined ? error : (url.searchParams.get('code') ?? undefined)
    const { status, ok } = response
    const result = { error, code, status, ok, url: error === undefined ? url.href : null }
    return { result, target: url.href }
  }

  async function begin(
    provider: string | undefined,
    fields: Record<string, string> & { readonly callbackUrl: string },
    query: URLSearchParams,
  ): Promise<Beginning> {
    try {
      const providers = provider === undefined ? {} : await getProviders()
      const known = Object.entries(providers).find(([id]) => id === provider)?.[1]
      if (known) return await beginAt(known, fields, query)
      const { callbackUrl } = fields
      const page = `${routes}/signin?${new URLSearchParams({ callbackUrl })}`
      const result = { error: undefined, code: undefined, status: 200, ok: true, url: page }
      return { result, target: page }
    } catch (error) {
      if (!(error instanceof ClientFetchError)) throw error
      console.error(error)
      return failed('Configuration', error.status ?? 0)
    }
  }

  return {
    getSession: (cookie) => read('session', cookie ? { headers: { cookie } } : undefined),
    getCsrfToken,
    getProviders,

    async signIn(provider, given, authorizationParams) {
      const { redirects, redirectTo, fields } = readOptions(given)
      const form = { ...fields(), callbackUrl: redirectTo ?? back() }
      const query = new URLSearchParams(authorizationParams)
      const { result, target } = await begin(provider, form, query)
      if (redirects) go(target)
      return result
    },

    async signOut(given) {
      const { redirects, redirectTo } = readOptions(given)
      const response = await post('signout', { callbackUrl: redirectTo ?? back() })
      const { status } = response
      const url = await readAnswer(response)
      if (typeof url === 'string')
        throw new ClientFetchError(`signout answered with ${status}.`, { status })
      if (redirects) go(url.href)
      return { url: url.href }
    },

    async update(data) {
      const csrfToken = await getCsrfToken()
      return read('session', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ csrfToken, data }),
      })
    },
  }
}
