/** What the library itself reports about a configuration. */
import { resolve } from '../../config/resolve.ts'
import { AuthError } from '../../errors.ts'
import { withoutLink } from '../../errors/base.ts'
import type { WarningCode } from '../../codes.ts'
import { topic } from './finding.ts'
import type { Finding } from './finding.ts'
import { collector } from './subject.ts'
import type { Subject } from './subject.ts'

/** Error types that are not about the configuration as a whole. */
const TOPICS: Readonly<Record<string, string>> = {
  MissingSecretError: 'secret',
  InvalidEndpoints: 'providers',
  MissingAuthorize: 'providers',
  MissingAdapter: 'adapter',
}

/** Problems that a check of their own reports in more detail: client secrets, short secrets. */
const REPORTED_ELSEWHERE = /: clientSecret is missing\.|bytes and can be guessed/

const ADVICE = /^(.*?\.) ((?:Set|Use|Write|Call|Replace|Remove|Give|Add|On a machine)\b.*)$/s

/** Splits the message of an error into what is wrong and what to do, which may be the link to the documentation. */
export function adviceOf({
  message,
}: Pick<Error, 'message'>): Required<Pick<Finding, 'what' | 'write'>> {
  const plain = withoutLink(message)
  const link = / ?(Read more: \S+)$/.exec(message)?.[1] ?? ''
  const [, what = plain, write = link] = ADVICE.exec(plain) ?? []
  return { what, write }
}

function findingOf(error: AuthError): Finding {
  const { what, write } = adviceOf(error)
  return topic(TOPICS[error.type] ?? 'configuration').error`${what} → ${write}`
}

/** Warnings that no other check reports; those without a sentence bring their own. */
const WARNINGS: Readonly<Partial<Record<WarningCode, readonly [what: string, write: string]>>> = {
  'debug-enabled': [
    'debug is on in production.',
    "Write debug: process.env.NODE_ENV === 'development'.",
  ],
  'duplicate-provider': ['', 'Give each provider its own id.'],
  'env-renamed': ['', 'Rename it wherever it is set.'],
  'experimental-webauthn': ['experimental.enableWebAuthn has no effect yet.', 'Remove it.'],
}

export function* checkProblems({ config, problems, warnings }: Subject): Generator<Finding> {
  for (const problem of problems)
    if (problem.type !== 'MissingAdapterMethods' && !REPORTED_ELSEWHERE.test(problem.message))
      yield findingOf(problem)
  const all = [...warnings]
  try {
    if (problems.length === 0) resolve({ ...config, logger: collector(all) })
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    yield findingOf(error)
    return
  }
  const { warning } = topic('configuration')
  for (const { code, text } of all) {
    const [what, write] = WARNINGS[code] ?? []
    if (write !== undefined) yield warning`${what || text} → ${write}`
  }
}
