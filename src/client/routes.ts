/** Asks the built-in routes; needs nothing but `fetch`. */
import { trimBasePath } from '../base-path.ts'
import type { Fetch } from '../types.ts'
import { ClientFetchError } from './fetch-error.ts'
import type { ClientOptions } from './types.ts'

/** Milliseconds after which nobody waits for an answer any more: longer than the server ever takes. */
const PATIENCE = 30_000

/** What a route answered. */
export interface Answer<T> {
  readonly ok: boolean
  readonly status: number
  /** `undefined` for what is not JSON. */
  readonly body: T | undefined
}

/** The built-in routes of a site. */
export interface Routes {
  /** Where they are. */
  readonly url: string
  /** Of the site, as far as it was said: a page of the site knows its own. */
  readonly origin: string
  /** @throws ClientFetchError when there is no answer */
  ask<T>(route: string, init?: RequestInit): Promise<Answer<T>>
  /**
   * What a route answers when all is well.
   *
   * @throws ClientFetchError when it is not
   */
  read<T>(route: string, init?: RequestInit): Promise<T>
}

/** The routes that are there. */
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
