/** The options of `signIn` and `signOut`, from an object or a form. */
export interface CallOptions {
  readonly redirects: boolean
  readonly redirectTo: string | undefined
  /** Of `signOut`. */
  readonly federated: string | undefined
  readonly fields: () => Record<string, string>
}

/** Returns `undefined` for a value that a form without files cannot contain. */
function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (value === null || value instanceof Blob) return undefined
  if (value instanceof URL) return value.href
  return JSON.stringify(value)
}

/** `fields` is lazy: a click event given as the options has no form fields. @throws TypeError if not an object */
export function readOptions(options: unknown = {}): CallOptions {
  if (typeof options !== 'object' || options === null)
    throw new TypeError(
      `Options are not an object or form (got ${options === null ? 'null' : typeof options}), such as { redirectTo: '/' }.`,
    )
  const entries = options instanceof FormData ? [...options] : Object.entries(options)
  const { redirect, redirectTo, callbackUrl, ...rest } = Object.fromEntries<unknown>(entries)
  return {
    redirects: !['false', '0', ''].includes(asText(redirect) ?? 'true'),
    federated: asText(rest['federated']),
    redirectTo: asText(redirectTo) ?? asText(callbackUrl),
    fields() {
      const texts = Object.entries(rest).flatMap(([name, value]) => {
        const text = asText(value)
        // Next.js adds its own fields to the forms of server actions.
        return text === undefined || name.startsWith('$ACTION') ? [] : [[name, text] as const]
      })
      return Object.fromEntries(texts)
    },
  }
}

/** The field, or the option of `signIn`: whether the user wants to stay signed in. */
export const REMEMBER = 'remember'

/** Says that a form has the box: browsers do not send one that is empty (HTML §4.10.21.4). */
export const REMEMBER_SHOWN = 'rememberShown'
