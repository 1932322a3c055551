/** Requests to providers: https only, limited in time and size, without following redirects. Caches their documents. */
import { setBounded } from '../../cache.ts'
import { TIMEOUTS, withTimeout } from '../../timeout.ts'
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

/** Secrets of a request, to be redacted: a `fetch` of the application may quote them in its errors. */
function secretsOf(body: unknown, headers: Headers): readonly unknown[] {
  const form = body instanceof URLSearchParams ? Object.fromEntries(body) : {}
  return [headers.get('authorization')?.replace(/^\w+ /, ''), ...secretsIn(form)]
}

export interface FetchLimits {
  readonly http: HttpPolicy
  /** In milliseconds since the epoch. Default: no deadline. */
  readonly deadline?: number
}

/** Wraps `fetch` with the limits. Returns redirects instead of following them. */
export function guardedFetch(fetcher: Fetch, { http, deadline = Infinity }: FetchLimits): Fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    endpointUrl(url.href, http, 'The URL of a request to a provider')
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : {}))
    if (!headers.has('user-agent')) headers.set('user-agent', 'lib-auth')
    const abort = new AbortController()
    const request = { ...init, headers, redirect: 'manual', signal: abort.signal } as const
    const send = async () => {
      try {
        return await fetcher(input, request)
      } catch (error) {
        throw redactError(error, secretsOf(init?.body, headers)) ?? error
      }
    }
    const method = init?.method ?? (input instanceof Request ? input.method : 'GET')
    const answer = async () =>
      settle(await (method === 'GET' ? withRetry(send, abort.signal) : send()))
    try {
      return await withTimeout(answer(), { what: url.host, timeout: TIMEOUTS.provider, deadline })
    } finally {
      abort.abort()
    }
  }
}

/** Milliseconds for which a document is used without a request, and as a fallback while the provider is down. */
const FRESH = 10 * 60_000
const USABLE = 24 * 60 * 60_000
/** Milliseconds between requests to a provider that is down, while a cached copy exists. */
const PAUSE = 30_000
const MAX_DOCUMENTS = 500

interface Entry {
  value: unknown
  readAt: number
  askAt: number
  pending: Promise<void> | undefined
}

/** Keyed by `fetch`, so that configurations created for each request share the cache. */
const documents = new WeakMap<Fetch, Map<string, Entry>>()

function entryFor(fetcher: Fetch, url: string): Entry {
  const entries = documents.get(fetcher) ?? new Map<string, Entry>()
  documents.set(fetcher, entries)
  const empty = { value: undefined, readAt: 0, askAt: 0, pending: undefined }
  return entries.get(url) ?? setBounded(entries, [url, empty], MAX_DOCUMENTS)
}

export interface DocumentSource extends Required<FetchLimits> {
  /** Cache key. */
  readonly fetcher: Fetch
}

/** A document of a provider: metadata or a JWK Set. */
export interface ProviderDocument<T> {
  readonly url: string
  /** Validates the JSON; throws if it is invalid. */
  readonly accept: (json: unknown) => T
  /** `reload` ignores freshness, but sends at most one request every 30 seconds. @default 'cached' */
  readonly mode?: 'cached' | 'reload'
}

/** The request is shared by all callers, so it has its own time limit instead of the deadline of one caller. */
async function refresh<T>(
  entry: Entry,
  { fetcher, http }: DocumentSource,
  { url, accept }: ProviderDocument<T>,
): Promise<void> {
  try {
    const request = { headers: { accept: 'application/json' } }
    const response = await guardedFetch(fetcher, { http })(url, request)
    if (response.status !== 200) throw new Error(`${url} responded with status ${response.status}.`)
    const json: unknown = await response.json().catch(() => {
      // The parse error would quote the body.
      throw new Error(`${url} did not return JSON.`)
    })
    accept(json)
    entry.value = json
    entry.readAt = Date.now()
  } finally {
    entry.pending = undefined
  }
}

/**
 * Reads a document from the cache while it is fresh, then from the provider, with a stale copy (up to a day) as
 * fallback.
 */
export async function readDocument<T>(
  source: DocumentSource,
  document: ProviderDocument<T>,
): Promise<T> {
  const { url, accept, mode = 'cached' } = document
  const entry = entryFor(source.fetcher, url)
  const now = Date.now()
  const has = entry.value !== undefined && now - entry.readAt < USABLE
  const isFresh = now - entry.readAt < FRESH && mode === 'cached'
  if (has && (isFresh || now < entry.askAt)) return accept(entry.value)
  entry.pending ??= refresh(entry, source, document)
  try {
    await withTimeout(entry.pending, {
      what: url,
      timeout: TIMEOUTS.provider,
      deadline: source.deadline,
    })
    return accept(entry.value)
  } catch (error) {
    if (!has) throw error
    return accept(entry.value)
  } finally {
    if (mode === 'reload' || entry.readAt < now) entry.askAt = Date.now() + PAUSE
  }
}
