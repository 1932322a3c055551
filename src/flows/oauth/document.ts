/** Cache of JSON documents of providers (metadata, JWK Sets). */
import { setBounded } from '../../bounded-map.ts'
import { LIMITS, within } from '../../deadline.ts'
import type { Fetch } from '../../types.ts'
import { guardedFetch } from './fetch.ts'
import type { HttpPolicy } from './http-policy.ts'

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

export interface Source<T> {
  readonly url: string
  /** Cache key. */
  readonly fetcher: Fetch
  readonly http: HttpPolicy
  /** Deadline of the caller, in milliseconds since the epoch. */
  readonly deadline: number
  /** Validates the JSON; throws if it is invalid. */
  readonly accept: (json: unknown) => T
}

/** The request is shared by all callers, so it has its own time limit instead of the deadline of one caller. */
async function load<T>({ url, fetcher, http, accept }: Source<T>): Promise<unknown> {
  const request = { headers: { accept: 'application/json' } }
  const response = await guardedFetch(fetcher, { http })(url, request)
  if (response.status !== 200) throw new Error(`${url} answered with status ${response.status}.`)
  let json: unknown
  try {
    json = await response.json()
  } catch {
    throw new Error(`${url} did not return JSON.`)
  }
  accept(json)
  return json
}

async function refresh<T>(entry: Entry, source: Source<T>): Promise<void> {
  try {
    entry.value = await load(source)
    entry.readAt = Date.now()
  } finally {
    entry.pending = undefined
  }
}

/**
 * Reads a document from the cache while it is fresh, then from the provider, with a stale copy (up to a day) as
 * fallback.
 *
 * @param mode - `reload` ignores freshness, but sends at most one request every 30 seconds
 */
export async function readDocument<T>(source: Source<T>, mode: 'cached' | 'reload'): Promise<T> {
  const entry = entryFor(source.fetcher, source.url)
  const now = Date.now()
  const has = entry.value !== undefined && now - entry.readAt < USABLE
  const isNew = now - entry.readAt < FRESH && mode === 'cached'
  if (has && (isNew || now < entry.askAt)) return source.accept(entry.value)
  entry.pending ??= refresh(entry, source)
  try {
    const { url, deadline } = source
    await within(entry.pending, { what: url, limit: LIMITS.provider, deadline })
    return source.accept(entry.value)
  } catch (error) {
    if (!has) throw error
    return source.accept(entry.value)
  } finally {
    if (mode === 'reload' || entry.readAt < now) entry.askAt = Date.now() + PAUSE
  }
}
