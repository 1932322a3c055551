/** The options of the command line, and the interface of a command. */
import type { parseArgs } from 'node:util'
import type { ExitCode, Terminal } from './terminal.ts'

export const OPTIONS = {
  adapter: { type: 'string' },
  column: { type: 'string', multiple: true },
  columns: { type: 'string' },
  config: { type: 'string' },
  dialect: { type: 'string' },
  'dry-run': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  ids: { type: 'string' },
  json: { type: 'boolean' },
  'no-unique-email': { type: 'boolean' },
  out: { type: 'string' },
  print: { type: 'boolean' },
  schema: { type: 'string' },
  table: { type: 'string', multiple: true },
  url: { type: 'string' },
  version: { type: 'boolean', short: 'v' },
  yes: { type: 'boolean', short: 'y' },
} as const

export type Option = keyof typeof OPTIONS

export type Arguments = ReturnType<
  typeof parseArgs<{ options: typeof OPTIONS; allowPositionals: true }>
>

export type Values = Arguments['values']

/** The value of each option, such as `<file>`, and its description. */
export type OptionHelp = Partial<Record<Option, readonly [value: string, help: string]>>

export interface Command {
  readonly summary: string
  /** More than the summary, in lines of at most 90 characters. */
  readonly details?: string
  readonly options: OptionHelp
  /** The positional argument, if it has one. */
  readonly argument?: string
  readonly example: string
  readonly run: (given: Arguments, terminal: Terminal) => ExitCode | Promise<ExitCode>
}
