/** `warning`: it works, but needs attention; `error`: it fails, or is not secure. */
export type Level = 'ok' | 'warning' | 'error'

export interface Finding {
  readonly level: Level
  /** The subject: "secret", "provider github". */
  readonly about: string
  readonly what: string
  /** What to do about it. */
  readonly write?: string
}

/** A tag for templates such as `AUTH_URL is not a URL. → Set it to https://example.com.` */
type Report = (strings: TemplateStringsArray, ...values: readonly unknown[]) => Finding

/** How the messages of the library begin what to do; the link at the end is for messages without. */
const ADVICE =
  /^(.*?\.) ((?:Set|Use|Write|Call|Replace|Remove|Give|Add|On a machine|Read more)\b.*?)(?: Read more: \S+)?$/s

/** Returns a tag for each level. Only an arrow of the template itself separates the two sentences, never one in a value. */
export function topic(about: string): Readonly<Record<Level, Report>> {
  const report =
    (level: Level): Report =>
    (strings, ...values) => {
      const raw = strings.map((text) => text.replace(' → ', '\0'))
      const texts = values.map((value) => String(value).replaceAll('\0', ''))
      const [what = '', write] = String.raw({ raw }, ...texts).split('\0')
      return { level, about, what, ...(write && { write }) }
    }
  return { ok: report('ok'), warning: report('warning'), error: report('error') }
}

/** Reports a message of the library, which contains what to do. */
export function quoted(level: Level, about: string, message: string): Finding {
  const [, what = message, write = ''] = ADVICE.exec(message) ?? []
  return topic(about)[level]`${what} → ${write}`
}
