import { MAX_VALUES } from './conceal.ts'
import { secretsIn } from './redact.ts'

/** The part of a request that lets somebody in. */
interface Carrier {
  readonly headers: Headers
  readonly body: Readonly<Record<string, unknown>>
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/**
 * What a request has brought along that must not be logged. Functions of the application that get the request
 * may repeat it in their errors.
 */
export function requestSecrets({ headers, body }: Carrier): readonly unknown[] {
  const cookie = headers.get('cookie') ?? ''
  // One more than are looked through: too many to decode are too many to search for.
  const pairs = cookie.split(/; */, MAX_VALUES + 1)
  const values = pairs.map((pair) => pair.slice(pair.indexOf('=') + 1))
  const inEveryForm = pairs.length > MAX_VALUES ? values : [...values, ...values.map(decoded)]
  return [cookie, ...inEveryForm, headers.get('authorization'), secretsIn(body)]
}
