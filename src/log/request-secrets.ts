import { MAX_VALUES } from './redact-error.ts'
import { secretsIn } from './redact.ts'

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

/** The secrets of a request. Functions of the application that receive it may repeat them in their errors. */
export function requestSecrets({ headers, body }: Carrier): readonly unknown[] {
  const cookie = headers.get('cookie') ?? ''
  // One more than the limit of the search, which rejects them all.
  const pairs = cookie.split(/; */, MAX_VALUES + 1)
  const values = pairs.map((pair) => pair.slice(pair.indexOf('=') + 1))
  const inEveryForm = pairs.length > MAX_VALUES ? values : [...values, ...values.map(decoded)]
  return [cookie, ...inEveryForm, headers.get('authorization'), secretsIn(body)]
}
