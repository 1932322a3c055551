import { asRecord } from '../is-record.ts'
import { isPromise } from '../async/awaitable.ts'
import { setBounded } from '../async/cache.ts'
import type { WarningCode } from '../errors/codes.ts'
import type { AuthConfig } from '../config/types.ts'
import { AuthError } from '../errors/base.ts'
import { findErrorRow } from '../errors/table.ts'
import { processMemory } from '../limits/process-memory.ts'
import { runsInBuild } from '../config/variables.ts'
import { plainText, redact } from './redact.ts'
import { issueReference, findReference } from './reference.ts'

/** Long enough for all problems of a configuration. */
const MAX_MESSAGE_LENGTH = 4096

/** Milliseconds between two log messages of an error that every request causes. */
const PAUSE = 60_000

/** Far more than an application causes; a configuration function may cause others for each tenant. */
const MAX_MESSAGES = 1000

/** Errors that every request causes until the configuration is fixed. */
const REPEATED = /^(?:ErrorPageLoop|MissingSecretError|SessionTooLarge|UntrustedHost)$/

/** Times of messages, by text or type of error: never by a part of a request, of which a client can send any number. */
type History = Map<string, number>

/** By logger, because a configuration may be created for each request. */
const histories: WeakMap<object, History> = new WeakMap()

interface LoggerOption {
  readonly logger?: object | undefined
}

/** All configurations of the process share that of the console. */
function findHistory({ logger }: LoggerOption): History {
  if (!logger) return (processMemory().console ??= new Map())
  const history: History = histories.get(logger) ?? new Map()
  histories.set(logger, history)
  return history
}

/** Whether the message was logged within the pause, in milliseconds; if not, remembers it. */
function isRepeated(message: string, option: LoggerOption, pause: number): boolean {
  const history = findHistory(option)
  const now = Date.now()
  // The clock may have been set back.
  if (Math.abs(now - (history.get(message) ?? -Infinity)) < pause) return true
  history.delete(message)
  setBounded(history, [message, now], MAX_MESSAGES)
  return false
}

/** False in each worker of a build: the server that runs it logs the message. */
export function isFirstMessage(message: string, option: LoggerOption): boolean {
  return !runsInBuild() && !isRepeated(message, option, Infinity)
}

export function isThrottled(error: Error, option: LoggerOption): boolean {
  const type = 'type' in error ? String(error.type) : ''
  return REPEATED.test(type) && isRepeated(type, option, PAUSE)
}

/** Writes log messages; never throws. */
export interface Logger {
  error(error: Error): void
  warn(code: WarningCode, ...message: readonly unknown[]): void
  /** @param key - what the warning is about, if the message contains a part of a request. @default the message */
  warnOnce(code: WarningCode, message: string, key?: string): void
  /** At most one warning of a code in a minute. */
  warnEachMinute(code: WarningCode, ...message: readonly unknown[]): void
  /** Absent unless debug messages are printed: call `log.debug?.(…)`, so that metadata is built only then. */
  debug?(message: string, metadata?: unknown): void
}

export type LogSettings = Pick<AuthConfig, 'logger' | 'debug'>

/** The stack frames only: name and message may contain lines that look like frames. */
function listFrames({ name, message, stack = '' }: Error): string[] {
  const lines = stack.replace(name, '').replace(message, '').split('\n')
  return lines.filter((line) => /^\s+at /.test(line)).map((line) => plainText(line))
}

/** The cause chain, down to the root cause; limited, because it may be circular. */
function describeCauses(error: unknown, depth = 5): string[] {
  if (!(error instanceof Error) || depth === 0) return []
  const line = plainText(`${error.name}: ${error.message}`, MAX_MESSAGE_LENGTH)
  // An `AuthError` has its cause in `err`.
  const cause = asRecord(error.cause)['err'] ?? error.cause
  return [`[auth][cause] ${line}`, ...listFrames(error), ...describeCauses(cause, depth - 1)]
}

/** One line for each problem of a configuration; one line for every other error. */
function describeMessage({ message, cause }: Error): string {
  const lines = asRecord(cause)['problems'] ? message.split('\n') : [message]
  return lines.map((line) => plainText(line, MAX_MESSAGE_LENGTH)).join('\n')
}

/** What distinguishes errors of users that have the same message. */
function describeLabel(error: Error): string {
  const { type, code, cause } = asRecord(error)
  const [name, label] =
    type === 'CredentialsSignin' || type === 'PasswordRejected'
      ? ['code', code]
      : ['key', asRecord(cause)['key']]
  const isText = typeof label === 'string' || typeof label === 'number'
  return isText ? ` [${name}: ${plainText(String(label))}]` : ''
}

function describe(error: Error): string {
  const { type, cause } =
    error instanceof AuthError ? error : { type: error.name, cause: undefined }
  const isVisitorError = findErrorRow(error)?.level === 'info'
  const head = `[auth][${isVisitorError ? 'info' : 'error'}] ${type}: ${describeMessage(error)}`
  const { err, problems: _listed, ...details } = cause ?? {}
  const issued = findReference(error)
  const reference = issued === undefined ? '' : ` [reference: ${issued}]`
  if (isVisitorError) {
    return (
      head + describeLabel(error) + reference + (err ? ` [cause: ${plainText(err.message)}]` : '')
    )
  }
  const parts = [head + reference, ...(err ? describeCauses(err) : listFrames(error))]
  if (Object.keys(details).length > 0)
    parts.push(`[auth][details] ${JSON.stringify(redact(details))}`)
  return parts.join('\n')
}

const consoleLogger: Required<Omit<Logger, 'warnOnce' | 'warnEachMinute'>> = {
  error(error) {
    console[findErrorRow(error)?.level ?? 'error'](describe(error))
  },
  warn(code, ...message) {
    const text = [code, ...message].map((part) => plainText(String(part), MAX_MESSAGE_LENGTH))
    console.warn(`[auth][warn] ${text.join(' ')}`)
  },
  debug(message, metadata) {
    const details = metadata === undefined ? '' : ` ${JSON.stringify(metadata)}`
    console.log(`[auth][debug] ${plainText(message)}${details}`)
  },
}

/** A logger that throws must not fail the request; one that rejects must not end the process. */
function quietly(log: () => unknown): void {
  const ignore = () => undefined
  try {
    const result = log()
    if (isPromise(result)) void Promise.resolve(result).catch(ignore)
  } catch {
    ignore()
  }
}

/** Levels that the application does not set are written to the console. Repeated errors are logged once a minute. */
export function createLogger({ logger, debug }: LogSettings): Logger {
  const warn: Logger['warn'] = (code, ...message) =>
    quietly(() =>
      logger?.warn ? logger.warn(code, ...message) : consoleLogger.warn(code, ...message),
    )
  // To the console only if there is no logger of the application.
  const debugLogger = logger ?? (debug ? consoleLogger : {})
  return {
    error(error) {
      if (isThrottled(error, { logger })) return
      if (findErrorRow(error)?.level !== 'info') issueReference(error)
      const reference = findReference(error)
      const details = reference === undefined ? [] : [{ reference }]
      quietly(() => (logger?.error ? logger.error(error, ...details) : consoleLogger.error(error)))
    },
    warn,
    warnOnce(code, message, key = message) {
      if (isFirstMessage(`${code} ${key}`, { logger })) warn(code, message)
    },
    warnEachMinute(code, ...message) {
      if (!isRepeated(code, { logger }, PAUSE)) warn(code, ...message)
    },
    ...(debugLogger.debug && {
      debug: (message: string, metadata?: unknown) =>
        quietly(() => debugLogger.debug?.(message, redact(metadata))),
    }),
  }
}

/** Returns the error, to be thrown. */
export function logError(error: unknown, config: Parameters<typeof createLogger>[0]): unknown {
  if (error instanceof Error) createLogger(config).error(error)
  return error
}
