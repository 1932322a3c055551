/** Requests to the built-in routes. */
import { trimBasePath } from '../../core/http/base-path.ts'
import type { Fetch } from '../../core/types.ts'
import type { ClientOptions } from './types.ts'

/** Timeout of a request, in milliseconds: longer than any timeout of the server. */
const TIMEOUT = 30_000

/** Error of a request that failed, or whose response is not the expected one. */
export class ClientFetchError extends Error {
  override name = 'ClientFetchError'
  /** HTTP status; `undefined` if there was no response. */
  readonly status: number | undefined

  constructor(message: string, options: ErrorOptions & { status?: number } = {}) {
    super(message, options)
    this.status = options.status
  }
}

export interface JsonResponse<T> {
  readonly ok: boolean
  readonly status: number
  /** `undefined` if the response is not JSON. */
  readonly body: T | undefined
}

export interface Routes {
  readonly url: string
  /** Empty in a page of the site. */
  readonly origin: string
  /** @throws ClientFetchError if there is no response */
  send<T>(route: string, init?: RequestInit): Promise<JsonResponse<T>>
  /** @throws ClientFetchError if there is no response, or it is not JSON with a successful status */
  readJson<T>(route: string, init?: RequestInit): Promise<T>
}

export function createRoutes(options: ClientOptions): Routes {
  const { baseUrl = '', basePath = '/api/auth' } = options
  const url = baseUrl.replace(/\/$/, '') + trimBasePath(basePath)
  const fetch: Fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init))

  async function fetchJson<T>(route: string, init?: RequestInit): Promise<JsonResponse<T>> {
    const response = await fetch(`${url}/${route}`, init)
    const { ok, status } = response
    const body: T | undefined = await response.json().catch(() => undefined)
    return { ok, status, body }
  }

  async function send<T>(route: string, init?: RequestInit): Promise<JsonResponse<T>> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const timeout = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(reject, TIMEOUT)
    })
    try {
      return await Promise.race([fetchJson<T>(route, init), timeout])
    } catch (cause) {
      throw new ClientFetchError(`${route} was not answered.`, { cause })
    } finally {
      clearTimeout(timer)
    }
  }

  async function readJson<T>(route: string, init?: RequestInit): Promise<T> {
    const { ok, status, body } = await send<T>(route, init)
    if (ok && body !== undefined) return body
    const detail = ok ? ' and no JSON' : status === 404 ? `: check basePath, ${basePath}` : ''
    throw new ClientFetchError(`${route} answered with ${status}${detail}.`, { status })
  }

  return { url, origin: baseUrl, send, readJson }
}
