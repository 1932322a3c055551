/** What was asked for, whichever way it was said. */
export interface Options {
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

/** Reads the options of a sign-in or a sign-out. */
export function readOptions(options: FormData | object = {}): Options {
  const entries = options instanceof FormData ? [...options] : Object.entries(options)
  const { redirect, redirectTo, callbackUrl, ...rest } = Object.fromEntries<unknown>(entries)
  return {
    redirects: !['false', '0', ''].includes(asText(redirect) ?? 'true'),
    redirectTo: asText(redirectTo) ?? asText(callbackUrl),
    fields() {
      const texts = Object.entries(rest).flatMap(([name, value]) => {
        const text = asText(value)
        return text === undefined ? [] : [[name, text] as const]
      })
      return Object.fromEntries(texts)
    },
  }
}
