/** What the doctor has to say. */

import { plainText } from '../../log/redact.ts'

/** How bad something is: `warning` works, and should be known; `error` does not work, or is not safe. */
export type Level = 'ok' | 'warning' | 'error'

/** One thing that was looked at. */
export interface Finding {
  readonly level: Level
  /** What it is about: "secret", "provider github". */
  readonly about: string
  readonly what: string
  /** What to write instead. */
  readonly write?: string
}

/** Makes the findings about one thing. */
export interface Topic {
  ok(what: string): Finding
  warning(what: string, write: string): Finding
  error(what: string, write: string): Finding
}

/** Names what findings are about. */
export function topic(about: string): Topic {
  return {
    ok: (what) => ({ level: 'ok', about, what }),
    warning: (what, write) => ({ level: 'warning', about, what, write }),
    error: (what, write) => ({ level: 'error', about, what, write }),
  }
}

/** Characters of a line: sites and modules have their say in some. */
const MAX_LENGTH = 1000

const SIGNS: Readonly<Record<Level, string>> = { ok: '✓', warning: '!', error: '✗' }

/** The lines of a finding. */
export function linesOf({ level, about, what, write }: Finding): readonly string[] {
  const lines = [
    `${SIGNS[level]} ${about}: ${what}`,
    ...(write === undefined ? [] : [`    ${write}`]),
  ]
  return lines.map((line) => plainText(line, MAX_LENGTH))
}

function isFinding(value: unknown): value is Finding {
  if (typeof value !== 'object' || value === null) return false
  const { level, about, what, write }: Partial<Record<keyof Finding, unknown>> = value
  return (
    typeof level === 'string' &&
    Object.hasOwn(SIGNS, level) &&
    typeof about === 'string' &&
    typeof what === 'string' &&
    (write === undefined || typeof write === 'string')
  )
}

/** The findings of a message from the process that looked; `undefined`: it is some other message. */
export function findingsIn(message: unknown): readonly Finding[] | undefined {
  if (typeof message !== 'object' || message === null) return undefined
  const findings: unknown = Reflect.get(message, 'findings')
  return Array.isArray(findings) && findings.every(isFinding) ? findings : undefined
}
