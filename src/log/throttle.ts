import type { LogSettings } from './logger.ts'

/** Milliseconds between two reports of the same fault, which every request repeats. */
const PAUSE = 60_000

/** Errors that say the same with every request, until somebody changes the configuration. */
const REPEATED: ReadonlySet<string> = new Set([
  'ErrorPageLoop',
  'MissingSecretError',
  'SessionTooLarge',
  'UntrustedHost',
])

/** When each logger last heard of each type. */
const reports = new WeakMap<object, Map<string, number>>()

/** What each logger has been told that need not be said again. */
const told = new WeakMap<object, Set<string>>()

/** Stands for the console, which is the same for every configuration. */
const CONSOLE = {}

/**
 * Whether something is said for the first time, where once is enough. Configurations may come and go with
 * requests; where their messages end up stays.
 */
export function isFirst(message: string, { logger }: LogSettings): boolean {
  const hearer = logger ?? CONSOLE
  const known = told.get(hearer) ?? new Set()
  told.set(hearer, known)
  if (known.has(message)) return false
  known.add(message)
  return true
}

/** Whether an error is worth a line in the log. */
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
