import { createLogger } from './logger.ts'
import type { Logger, LogSettings } from './logger.ts'

export interface Known {
  readonly config: LogSettings
  readonly resolved?: { readonly log: Logger }
}

export function report(error: Error, { config, resolved }: Known): void {
  const log = resolved?.log ?? createLogger(config)
  log.error(error)
}
