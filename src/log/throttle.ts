/** Milliseconds between two log messages of an error that every request causes. */
const PAUSE = 60_000

/** Errors that every request causes until the configuration is fixed. */
const REPEATED: ReadonlySet<string> = new Set([
  'ErrorPageLoop',
  'MissingSecretError',
  'SessionTooLarge',
  'UntrustedHost',
])

interface History {
  readonly messages: Set<string>
  /** Time of the last message by type of error. */
  readonly errors: Map<string, number>
}

/** Keyed by logger, because a configuration may be created for each request. */
const histories = new WeakMap<object, History>()

/** Key for the console, which all configurations share. */
const CONSOLE = {}

interface LoggerOption {
  readonly logger?: object | undefined
}

function historyOf({ logger = CONSOLE }: LoggerOption): History {
  const history = histories.get(logger) ?? { messages: new Set(), errors: new Map() }
  histories.set(logger, history)
  return history
}

export function isFirstMessage(message: string, option: LoggerOption): boolean {
  const { messages } = historyOf(option)
  if (messages.has(message)) return false
  messages.add(message)
  return true
}

export function isThrottled(error: Error, option: LoggerOption): boolean {
  const type = 'type' in error ? String(error.type) : ''
  if (!REPEATED.has(type)) return false
  const { errors } = historyOf(option)
  const now = Date.now()
  const last = errors.get(type)
  if (last !== undefined && now - last < PAUSE) return true
  errors.set(type, now)
  return false
}
