/** What the library itself says about a configuration. */
import { resolve } from '../../config/resolve.ts'
import { AuthError } from '../../errors.ts'
import { withoutLink } from '../../errors/base.ts'
import type { WarningCode } from '../../types.ts'
import { topic } from './finding.ts'
import type { Finding } from './finding.ts'
import type { Subject } from './subject.ts'

/** What errors of a type are about. */
const TOPICS: Readonly<Record<string, string>> = {
  MissingSecretError: 'secret',
  InvalidEndpoints: 'providers',
  MissingAuthorize: 'providers',
  MissingAdapter: 'adapter',
}

/** Where the message of an error says to read on. */
const LINK = / ?(Read more: \S+)$/

/** The sentence of a message that says what to write, if it is one of its own. */
const ADVICE = /^(.*?\.) ((?:Set|Use|Write|Call)\b.*)$/s

/** What an error of the library says, and what to do about it. */
export function adviceOf({ message }: AuthError): Required<Pick<Finding, 'what' | 'write'>> {
  const plain = withoutLink(message)
  const [, what = plain, write = LINK.exec(message)?.[1] ?? ''] = ADVICE.exec(plain) ?? []
  return { what, write }
}

function describe(error: AuthError): Finding {
  const { what, write } = adviceOf(error)
  return topic(TOPICS[error.type] ?? 'configuration').error(what, write)
}

/** Missing secrets of clients: the provider's own finding says which variable was set instead. */
const MISSING_CLIENT_SECRET = /: clientSecret is missing\./

/** Everything that keeps the configuration from being used; methods of the adapter are looked at one by one. */
export function describeProblems({ problems }: Subject): readonly Finding[] {
  return problems
    .filter(({ type }) => type !== 'MissingAdapterMethods')
    .filter(({ message }) => !MISSING_CLIENT_SECRET.test(message))
    .map(describe)
}

/** What to do about a warning; what is not here is said elsewhere. */
const WARNINGS: Readonly<Partial<Record<WarningCode, readonly [what: string, write: string]>>> = {
  'debug-enabled': [
    'debug is on in production: the log holds more than it should.',
    "Write debug: process.env.NODE_ENV === 'development'.",
  ],
  'duplicate-provider': ['', 'Give each of them an id of its own.'],
  'env-renamed': ['', 'Rename it wherever it is set.'],
  'experimental-webauthn': [
    'experimental.enableWebAuthn is on, and nothing uses it yet.',
    'Leave it out.',
  ],
}

/** What the library warns of while it reads a configuration. */
export function describeWarnings({ config, problems, warnings }: Subject): readonly Finding[] {
  const seen = [...warnings]
  const logger = {
    error: () => undefined,
    warn: (code: WarningCode, ...message: unknown[]) =>
      void seen.push({ code, text: message.join(' ') }),
    debug: () => undefined,
  }
  try {
    if (problems.length === 0) resolve({ ...config, logger })
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    return [describe(error)]
  }
  const about = topic('configuration')
  return seen.flatMap(({ code, text }) => {
    const [what, write] = WARNINGS[code] ?? []
    return write === undefined ? [] : [about.warning(what || text, write)]
  })
}
