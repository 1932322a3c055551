/** What can be typed, and who understands it. */
import type { parseArgs } from 'node:util'
import type { ExitCode, Terminal } from './terminal.ts'

/** The options of all commands; each means the same wherever it is understood. */
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

/** What was typed. */
export type Typed = ReturnType<
  typeof parseArgs<{ options: typeof OPTIONS; allowPositionals: true }>
>

/** What stands behind the names of options. */
export type Values = Typed['values']

/** A command. */
export interface Command {
  /** What is typed after its name. */
  readonly usage: string
  /** What it does, in lines of the length of a terminal. */
  readonly help: string
  readonly options: readonly Option[]
  /** Words after its name that it knows what to do with. */
  readonly takes: 'a folder' | 'nothing'
  readonly run: (typed: Typed, terminal: Terminal) => ExitCode | Promise<ExitCode>
}
