/** The options of a sign-in or a sign-out, whichever way they were given. */
export interface CallOptions {
  readonly redirects: boolean
  readonly redirectTo: string | undefined
  /** Everything else, as a form sends it. */
  readonly fields: () => Record<string, string>
}

/** A value as a form holds it; `undefined` for one that a form without files cannot hold. */
function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (value === null || value instanceof Blob) return undefined
  if (value instanceof URL) return value.href
  return JSON.stringify(value)
}

/**
 * Reads them. The fields only when they are asked for: whoever hands over an event of a button has none.
 *
 * @throws TypeError when they are none
 */
export function readOptions(options: unknown = {}): CallOptions {
  if (typeof options !== 'object' || options === null)
    throw new TypeError(
      `Options are not an object or form (got ${options === null ? 'null' : typeof options}), such as { redirectTo: '/' }.`,
    )
  const entries = options instanceof FormData ? [...options] : Object.entries(options)
  const { redirect, redirectTo, callbackUrl, ...rest } = Object.fromEntries<unknown>(entries)
  return {
    redirects: !['false', '0', ''].includes(asText(redirect) ?? 'true'),
    redirectTo: asText(redirectTo) ?? asText(callbackUrl),
    fields() {
      const texts = Object.entries(rest).flatMap(([name, value]) => {
        const text = asText(value)
        // Next puts fields of its own into forms.
        return text === undefined || name.startsWith('$ACTION') ? [] : [[name, text] as const]
      })
      return Object.fromEntries(texts)
    },
  }
}
