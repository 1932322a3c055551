import { isPromise } from '../awaitable.ts'
import type { LoggerInstance } from '../config/types.ts'
import { AuthError } from '../errors/base.ts'
import { rowOf } from '../errors/table.ts'
import type { WarningCode } from '../types.ts'
import { plainText, redact } from './redact.ts'
import { isFirst, isNews } from './throttle.ts'

/** A message of ours may list every problem of a configuration. */
const MAX_MESSAGE_LENGTH = 4096

/** Where the library says what happens. Nothing that goes through here throws. */
export interface Logger {
  error(error: Error): void
  warn(code: WarningCode, ...message: readonly unknown[]): void
  /** The same for what stays true: said to each logger only once. */
  warnOnce(code: WarningCode, ...message: readonly unknown[]): void
  /**
   * Absent unless debug messages are printed. Call it as `log.debug?.(message, { … })`, so that the metadata is not
   * built otherwise.
   */
  debug?(message: string, metadata?: unknown): void
}

/** What decides where messages go. */
export interface LogSettings {
  readonly logger?: Partial<LoggerInstance> | undefined
  readonly debug?: boolean | undefined
}

/** Where the error was made. Name and message are in the stack too, and may hold lines that look like frames. */
function framesOf({ name, message, stack = '' }: Error): string[] {
  const lines = stack.replace(name, '').replace(message, '').split('\n')
  return lines.filter((line) => /^\s+at /.test(line)).map((line) => plainText(line))
}

/** What caused an error, and what caused that: the last one is what somebody has to mend. It may be its own cause. */
function describeCauses(error: unknown, depth = 5): string[] {
  if (!(error instanceof Error) || depth === 0) return []
  const line = plainText(`${error.name}: ${error.message}`, MAX_MESSAGE_LENGTH)
  // Errors of ours have theirs under `err`.
  const cause: unknown = Object(error.cause).err ?? error.cause
  return [`[auth][cause] ${line}`, ...framesOf(error), ...describeCauses(cause, depth - 1)]
}

/** The message in one line; several problems of a configuration in one line each. */
function describeMessage({ message, cause }: Error): string {
  const lines = Object(cause).problems ? message.split('\n') : [message]
  return lines.map((line) => plainText(line, MAX_MESSAGE_LENGTH)).join('\n')
}

/** The code of a `CredentialsSignin`, by which the application tells one refusal from another. */
function codeOf(error: Error): string[] {
  const isRefusal = 'type' in error && error.type === 'CredentialsSignin'
  return isRefusal && 'code' in error ? [`[code: ${plainText(String(error.code))}]`] : []
}

/** The error in one line, then what caused it: with its stack when somebody has to mend something. */
function describe(error: Error): string {
  const head = `[auth][error] ${error instanceof AuthError ? error.type : error.name}: ${describeMessage(error)}`
  const cause = error instanceof AuthError ? error.cause : undefined
  if (rowOf(error)?.level === 'info')
    return [
      head,
      ...codeOf(error),
      ...(cause?.err ? [`[cause: ${plainText(cause.err.message)}]`] : []),
    ].join(' ')
  const { err, problems: _listed, ...details } = cause ?? {}
  const parts = [head, ...(err ? describeCauses(err) : framesOf(error))]
  if (Object.keys(details).length > 0)
    parts.push(`[auth][details] ${JSON.stringify(redact(details))}`)
  return parts.join('\n')
}

function consoleLogger(): Required<Omit<Logger, 'warnOnce'>> {
  return {
    error(error) {
      console[rowOf(error)?.level ?? 'error'](describe(error))
    },
    warn(code, ...message) {
      const text = [code, ...message].map((part) => plainText(String(part), MAX_MESSAGE_LENGTH))
      console.warn(`[auth][warn] ${text.join(' ')}`)
    },
    debug(message, metadata) {
      const details = metadata === undefined ? '' : ` ${JSON.stringify(redact(metadata))}`
      console.log(`[auth][debug] ${plainText(message)}${details}`)
    },
  }
}

/** A logger that fails must not fail the request; one that fails later must not end the process. */
function quietly(log: () => unknown): void {
  const ignore = () => undefined
  try {
    const result = log()
    if (isPromise(result)) void Promise.resolve(result).catch(ignore)
  } catch {
    ignore()
  }
}

/** Prints debug messages: the application's logger if it has `debug`; the console only without a logger. */
function debugOf(
  { logger, debug }: LogSettings,
  fallback: Pick<Required<Logger>, 'debug'>,
): Pick<Logger, 'debug'> {
  if (logger?.debug)
    return {
      debug: (message, metadata) => quietly(() => logger.debug?.(message, redact(metadata))),
    }
  return debug && !logger
    ? { debug: (message, metadata) => quietly(() => fallback.debug(message, metadata)) }
    : {}
}

/** The levels of the application's logger, and ours where it has none. What every request repeats is said once a minute. */
export function createLogger({ logger, debug }: LogSettings): Logger {
  const fallback = consoleLogger()
  const warn: Logger['warn'] = (code, ...message) =>
    quietly(() => (logger?.warn ? logger.warn(code, ...message) : fallback.warn(code, ...message)))
  return {
    error(error) {
      if (!isNews(error, { logger })) return
      quietly(() => (logger?.error ? logger.error(error) : fallback.error(error)))
    },
    warn,
    warnOnce(code, ...message) {
      if (isFirst([code, ...message].join(' '), { logger })) warn(code, ...message)
    },
    ...debugOf({ logger, debug }, fallback),
  }
}
