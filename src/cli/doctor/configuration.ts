/** What the library itself reports about a configuration and its adapter. */
import type { WarningCode } from '../../codes.ts'
import { adapterSource } from '../../config/load-adapter.ts'
import { resolve } from '../../config/resolve.ts'
import { strategyOf } from '../../config/strategy.ts'
import { quoted, topic } from './finding.ts'
import type { Finding } from './finding.ts'
import type { Subject } from './subject.ts'

/** Problems of secrets, which checks of their own report with the variable. */
const REPORTED_ELSEWHERE = /: clientSecret is missing\.|bytes and can be guessed/

/** The warnings that no check of its own reports. Some have no text of the library. */
const WARNINGS: Readonly<Partial<Record<WarningCode, string>>> = {
  'debug-enabled':
    "debug is on in production. Write debug: process.env.NODE_ENV === 'development'.",
  'duplicate-provider': '',
  'env-renamed': '',
  'env-url-basepath-redundant':
    'basePath is set, so the path of AUTH_URL is ignored. Remove one of them.',
  'experimental-webauthn': 'experimental.enableWebAuthn has no effect yet. Remove it.',
}

export function* checkConfiguration(subject: Subject): Generator<Finding> {
  const { config, problems, warnings, quote } = subject
  for (const { message } of problems)
    if (!REPORTED_ELSEWHERE.test(message)) yield quoted('error', 'configuration', message)
  try {
    if (problems.length === 0) resolve(config)
  } catch (error) {
    yield quoted('error', 'configuration', quote(error))
  }
  for (const [code, text] of warnings) {
    const what = WARNINGS[code]
    if (what !== undefined) yield quoted('warning', 'configuration', what || text)
  }
}

/** Loads an adapter that is a function; another one is validated with the configuration. No method is called. */
export async function checkAdapter(subject: Subject): Promise<readonly Finding[]> {
  const { config, providers, problems, quote } = subject
  const source = adapterSource(config, providers)
  if (!source || problems.some(({ type }) => type === 'MissingAdapterMethods')) return []
  try {
    if (typeof source === 'function') await source()
    const place = strategyOf(config) === 'database' ? 'the database' : 'cookies'
    return [topic('adapter').ok`all required methods are there; sessions are in ${place}.`]
  } catch (cause) {
    return [quoted('error', 'adapter', quote(cause))]
  }
}
