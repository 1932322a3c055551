/** Milliseconds between two log messages of an error that every request causes. */
const PAUSE = 60_000

/** Errors that every request causes until the configuration is fixed. */
const REPEATED: ReadonlySet<string> = new Set([
  'ErrorPageLoop',
  'MissingSecretError',
  'SessionTooLarge',
  'UntrustedHost',
])

/** Times of messages by text or type of error, by logger, because a configuration may be created for each request. */
const histories = new WeakMap<object, Map<string, number>>()

/** Key for the console, which all configurations share. */
const CONSOLE = {}

interface LoggerOption {
  readonly logger?: object | undefined
}

function historyOf({ logger = CONSOLE }: LoggerOption): Map<string, number> {
  const history = histories.get(logger) ?? new Map<string, number>()
  histories.set(logger, history)
  return history
}

export function isFirstMessage(message: string, option: LoggerOption): boolean {
  const history = historyOf(option)
  if (history.has(message)) return false
  history.set(message, Date.now())
  return true
}

export function isThrottled(error: Error, option: LoggerOption): boolean {
  const type = 'type' in error ? String(error.type) : ''
  if (!REPEATED.has(type)) return false
  const history = historyOf(option)
  const now = Date.now()
  const last = history.get(type)
  if (last !== undefined && now - last < PAUSE) return true
  history.set(type, now)
  return false
}
