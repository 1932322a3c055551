import type { LogSettings } from './logger.ts'

/** Milliseconds between two reports of an error that every request causes. */
const PAUSE = 60_000

/** Errors that every request causes until the configuration is fixed. */
const REPEATED: ReadonlySet<string> = new Set([
  'ErrorPageLoop',
  'MissingSecretError',
  'SessionTooLarge',
  'UntrustedHost',
])

const reports = new WeakMap<object, Map<string, number>>()

const told = new WeakMap<object, Set<string>>()

/** Key for the console, which all configurations share. */
const CONSOLE = {}

/** Keyed by logger, because a configuration may be created for each request. */
export function isFirst(message: string, { logger }: LogSettings): boolean {
  const hearer = logger ?? CONSOLE
  const known = told.get(hearer) ?? new Set()
  told.set(hearer, known)
  if (known.has(message)) return false
  known.add(message)
  return true
}

export function isNews(error: Error, { logger }: LogSettings): boolean {
  const type = 'type' in error ? String(error.type) : ''
  if (!REPEATED.has(type)) return true
  const hearer = logger ?? CONSOLE
  const known = reports.get(hearer) ?? new Map<string, number>()
  reports.set(hearer, known)
  const now = Date.now()
  const last = known.get(type)
  if (last !== undefined && now - last < PAUSE) return false
  known.set(type, now)
  return true
}
