import { trimBasePath } from '../base-path.ts'
import type { Fetch } from '../types.ts'
import { ClientFetchError } from './fetch-error.ts'
import type { ClientOptions } from './types.ts'

/** Timeout of a request, in milliseconds: longer than any timeout of the server. */
const PATIENCE = 30_000

export interface Answer<T> {
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
  ask<T>(route: string, init?: RequestInit): Promise<Answer<T>>
  /** @throws ClientFetchError if there is no response, or it is not JSON with a successful status */
  read<T>(route: string, init?: RequestInit): Promise<T>
}

export function createRoutes(options: ClientOptions): Routes {
  const { baseUrl = '', basePath = '/api/auth' } = options
  const url = baseUrl.replace(/\/$/, '') + trimBasePath(basePath)
  const send: Fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init))

  async function exchange<T>(route: string, init?: RequestInit): Promise<Answer<T>> {
    const response = await send(`${url}/${route}`, init)
    const { ok, status } = response
    const body: T | undefined = await response.json().catch(() => undefined)
    return { ok, status, body }
  }

  async function ask<T>(route: string, init?: RequestInit): Promise<Answer<T>> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const tooLate = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(reject, PATIENCE)
    })
    try {
      return await Promise.race([exchange<T>(route, init), tooLate])
    } catch (cause) {
      throw new ClientFetchError(`${route} was not answered.`, { cause })
    } finally {
      clearTimeout(timer)
    }
  }

  async function read<T>(route: string, init?: RequestInit): Promise<T> {
    const { ok, status, body } = await ask<T>(route, init)
    if (ok && body !== undefined) return body
    const detail = ok ? ' and no JSON' : ''
    throw new ClientFetchError(`${route} answered with ${status}${detail}.`, { status })
  }

  return { url, origin: baseUrl, ask, read }
}
