/** Requests to providers: https only, limited in time and size, without following redirects. */
import { TIMEOUTS, unavailable, withTimeout } from '../../async/timeout.ts'
import type { Secrets } from '../../log/secrets.ts'
import { redactError } from '../../log/redact-error.ts'
import { secretsIn } from '../../log/redact.ts'
import type { Fetch } from '../../types.ts'
import { endpointUrl } from './endpoint-url.ts'
import type { HttpPolicy } from './endpoint-url.ts'

const MAX_BODY_BYTES = 256 * 1024

async function readBounded(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<ArrayBuffer> {
  const reader = stream.getReader()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return new Blob(chunks).arrayBuffer()
    length += value.byteLength
    if (length > MAX_BODY_BYTES) {
      void reader.cancel().catch(() => undefined)
      throw new Error(`The response of the provider exceeds ${MAX_BODY_BYTES} bytes.`)
    }
    chunks.push(value)
  }
}

/** Reads the whole body, so that the time limit covers it, and returns an equivalent response. */
async function settle(response: Response): Promise<Response> {
  const headers = new Headers(response.headers)
  headers.delete('content-encoding')
  headers.delete('content-length')
  const body = response.body ? await readBounded(response.body) : null
  const isEmpty = body === null || body.byteLength === 0
  return new Response(isEmpty ? null : body, { status: response.status, headers })
}

/** Retries once after a connection error; only for requests without side effects. */
async function withRetry(send: () => Promise<Response>, signal: AbortSignal): Promise<Response> {
  try {
    return await send()
  } catch (error) {
    const pause = 100 + Math.random() * 200
    await new Promise((resolve) => setTimeout(resolve, pause))
    if (signal.aborted) throw error
    return send()
  }
}

/** Secrets of a request: a `fetch` of the application may quote them in its errors. */
function listSecrets(body: unknown, headers: Headers): readonly unknown[] {
  const form = body instanceof URLSearchParams ? Object.fromEntries(body) : {}
  return [readCredentials(headers), ...secretsIn(form)]
}

/** The Authorization header without its scheme, for example `Basic` (RFC 9110 §11.4). */
function readCredentials(headers: Headers): string | undefined {
  return headers.get('authorization')?.replace(/^\w+ /, '')
}

export interface FetchLimits {
  readonly http: HttpPolicy
  /** In milliseconds as `performance.now()`. Default: no deadline. */
  readonly deadline?: number
  /** Receives the credentials of each Authorization header, which a response may repeat. */
  readonly secrets?: Pick<Secrets, 'add'>
}

/** Wraps `fetch` with the limits. Returns redirects instead of following them. */
export function guardedFetch(
  fetcher: Fetch,
  { http, deadline = Infinity, secrets }: FetchLimits,
): Fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    endpointUrl(url.href, http, 'The URL of a request to a provider')
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : {}))
    secrets?.add(readCredentials(headers))
    if (!headers.has('user-agent')) headers.set('user-agent', 'lib-auth')
    const abort = new AbortController()
    const request = { ...init, headers, redirect: 'manual', signal: abort.signal } as const
    const send = async () => {
      try {
        return await fetcher(input, request)
      } catch (error) {
        throw redactError(error, listSecrets(init?.body, headers)) ?? error
      }
    }
    const method = init?.method ?? (input instanceof Request ? input.method : 'GET')
    const answer = async () =>
      settle(await (method === 'GET' ? withRetry(send, abort.signal) : send()))
    try {
      return await withTimeout(answer(), {
        what: url.host,
        timeout: TIMEOUTS.provider,
        deadline,
        timeoutError: unavailable,
      })
    } finally {
      abort.abort()
    }
  }
}
