/** The results of the checks. */
import { plainText } from '../../log/redact.ts'

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

const ARROW = ' → '
const MAX_LINE_LENGTH = 1000

const SIGNS: Readonly<Record<Level, string>> = { ok: '✓', warning: '!', error: '✗' }

/** Returns a tag for each level. Only an arrow of the template itself separates the two sentences, never one in a value. */
export function topic(about: string): Readonly<Record<Level, Report>> {
  const report =
    (level: Level): Report =>
    (strings, ...values) => {
      const index = strings.findIndex((text) => text.includes(ARROW))
      const parts = strings.flatMap((text, at) => [
        at === index ? text.replace(ARROW, '\0') : text,
        at < values.length ? String(values[at]).replaceAll('\0', '') : '',
      ])
      const [what = '', write] = parts.join('').split('\0')
      return { level, about, what, ...(write !== undefined && { write }) }
    }
  return { ok: report('ok'), warning: report('warning'), error: report('error') }
}

/** The lines of a finding, without control characters: they contain text of sites and modules. */
export function linesOf({ level, about, what, write }: Finding): readonly string[] {
  const advice = write === undefined ? [] : [`    ${write}`]
  return [`${SIGNS[level]} ${about}: ${what}`, ...advice].map((line) =>
    plainText(line, MAX_LINE_LENGTH),
  )
}
