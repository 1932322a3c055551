/** The secrets of a request, which errors of application functions must not contain. */
import type { HeaderReader, ReadRequest } from '../http/read-headers.ts'
import { MAX_VALUES, redactError } from './redact-error.ts'
import { secretsIn } from './redact.ts'

type SecretSource = Pick<ReadRequest, 'headers' | 'url'>

/** The secrets of one request, to redact in errors of application functions. Nothing is searched before an error. */
export interface Secrets {
  /** Adds every text and number in the value. */
  add(value: unknown): void
  /** Adds what is under secret keys, such as `access_token` or `password`, at every depth of the value. */
  addKeysOf(value: unknown): void
  /** See {@link redactError}. */
  redact(error: unknown): Error | undefined
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

function cookieValues(headers: HeaderReader): readonly string[] {
  const cookie = headers.get('cookie') ?? ''
  // One more than the limit of the search, which rejects them all.
  const pairs = cookie.split(/; */, MAX_VALUES + 1)
  const values = pairs.map((pair) => pair.slice(pair.indexOf('=') + 1))
  return [cookie, ...values, ...(pairs.length > MAX_VALUES ? [] : values.map(decoded))]
}

function requestSecrets({ headers, url }: SecretSource): readonly unknown[] {
  const query = Object.fromEntries(url?.searchParams ?? [])
  return [cookieValues(headers), headers.get('authorization'), secretsIn(query)]
}

/** Collects the secrets of a request, beginning with its headers and query. */
export function createSecrets(request?: SecretSource): Secrets {
  const values: unknown[] = []
  const keyed: unknown[] = []
  return {
    add: (value) => void values.push(value),
    addKeysOf: (value) => void keyed.push(value),
    redact: (error) =>
      redactError(error, [request && requestSecrets(request), values, secretsIn(keyed)]),
  }
}
