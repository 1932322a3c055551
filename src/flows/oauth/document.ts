/** JSON documents of providers (metadata, key sets), kept so that a sign-in need not wait for them. */
import { setBounded } from '../../bounded-map.ts'
import { LIMITS, within } from '../../deadline.ts'
import type { Fetch } from '../../types.ts'
import { guardedFetch } from './fetch.ts'
import type { HttpPolicy } from './http-policy.ts'

/** How long a document counts as new, and as better than nothing, in milliseconds. */
const FRESH = 10 * 60_000
const USABLE = 24 * 60 * 60_000
/** How long a provider that is down is left alone while there is a copy, in milliseconds. */
const PAUSE = 30_000
/** Documents kept for one `fetch`. */
const MAX_DOCUMENTS = 500

interface Entry {
  value: unknown
  readAt: number
  /** When the provider may be asked again. */
  askAt: number
  pending: Promise<void> | undefined
}

/** By the `fetch` in use, so that configurations made for each request share them. */
const documents = new WeakMap<Fetch, Map<string, Entry>>()

function entryFor(fetcher: Fetch, url: string): Entry {
  const entries = documents.get(fetcher) ?? new Map<string, Entry>()
  documents.set(fetcher, entries)
  const empty = { value: undefined, readAt: 0, askAt: 0, pending: undefined }
  return entries.get(url) ?? setBounded(entries, [url, empty], MAX_DOCUMENTS)
}

/** Where a document is, and who fetches it. */
export interface Source<T> {
  readonly url: string
  /** Identifies the cache. */
  readonly fetcher: Fetch
  readonly http: HttpPolicy
  /** When who asks has to be answered, in milliseconds since the epoch. */
  readonly deadline: number
  /** Checks what was read and gives it its type; throws when it is not to be used. */
  readonly accept: (json: unknown) => T
}

/** Fetches a document for all who wait for it: in the time of one request to a provider, however little each has. */
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

/** Loads a document into its entry, once for all who ask at the same time. */
async function refresh<T>(entry: Entry, source: Source<T>): Promise<void> {
  try {
    entry.value = await load(source)
    entry.readAt = Date.now()
  } finally {
    entry.pending = undefined
  }
}

/**
 * Reads a document: a copy that is new enough, else from the provider, else the last good copy of a day.
 *
 * @param mode - `reload` asks the provider although the copy is new, at most every 30 seconds
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
