/** What the log contains about an error, for the built-in pages in development. */
import { withoutLink } from '../errors/base.ts'
import { isRecord } from '../is-record.ts'
import { plainText, redact } from './redact.ts'

export interface Problem {
  /** Cause and fix. */
  readonly lines: readonly string[]
  /** Where the error is documented; empty for an error of another package. */
  readonly documentation: string
}

/** So that they fit into a cookie. */
const MAX_LENGTH = 400
const MAX_LINES = 5

/** Down to the root cause; limited, because the chain may be circular. */
function listCauses(error: unknown, depth = 3): string[] {
  if (!isRecord(error) || depth === 0) return []
  const { cause } = error
  const inner = isRecord(cause) && cause['err'] instanceof Error ? cause['err'] : cause
  if (!(inner instanceof Error)) return []
  return [`${inner.name}: ${withoutLink(inner.message)}`, ...listCauses(inner, depth - 1)]
}

function listDetails({ cause }: Error): string[] {
  if (cause instanceof Error || !isRecord(cause)) return []
  const { err: _cause, problems: _listed, publicMessage: _shown, ...details } = cause
  const redacted: unknown = redact(details)
  return Object.entries(isRecord(redacted) ? redacted : {})
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
}

export function describeProblem(error: Error): Problem {
  const [, documentation = ''] = /Read more: (\S+)$/.exec(error.message) ?? []
  const message = withoutLink(error.message).split('\n')
  const lines = [...message, ...listCauses(error), ...listDetails(error)].filter(Boolean)
  const shown = [...new Set(lines)].slice(0, MAX_LINES)
  return { lines: shown.map((line) => plainText(line, MAX_LENGTH)), documentation }
}
