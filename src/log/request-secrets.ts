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
  const values = cookie.split(/; */).map((pair) => pair.slice(pair.indexOf('=') + 1))
  return [cookie, ...values, ...values.map(decoded), headers.get('authorization'), secretsIn(body)]
}
