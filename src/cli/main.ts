/** Reads what was typed, and runs the command. */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { migrateImports } from './migrate-imports.ts'
import type { ExitCode, Terminal } from './terminal.ts'

const HELP = `Usage: lib-auth <command>

  migrate-imports [folder] [--dry-run]
      Rewrites imports and module augmentations of next-auth and @auth/core, and prints
      what is left to do. The folder is the current one unless you say. With --dry-run
      nothing is written.

  --help       Prints this.
  --version    Prints the version.

Ends with 0 when it was done, with 1 when something could not be done, and with 2 when
it is not clear what to do.`

/** What was typed does not say what to do. */
class UsageError extends Error {}

interface Typed {
  readonly values: {
    readonly 'dry-run'?: boolean
    readonly help?: boolean
    readonly version?: boolean
  }
  readonly positionals: readonly string[]
}

function parse(words: readonly string[]): Typed {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        'dry-run': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function version(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  )
  const isManifest = typeof manifest === 'object' && manifest !== null && 'version' in manifest
  return isManifest ? String(manifest.version) : ''
}

/** A command: what it does with the words after its name. */
type Command = (typed: Typed, terminal: Terminal) => ExitCode

const COMMANDS: Readonly<Record<string, Command>> = {
  'migrate-imports': ({ values, positionals }, terminal) => {
    const [, folder = '.', ...others] = positionals
    if (others.length > 0) throw new UsageError(`Give one folder, not ${others.length + 1}.`)
    return migrateImports({ folder, run: values['dry-run'] ? 'dry' : 'real' }, terminal)
  },
}

function run(words: readonly string[], terminal: Terminal): ExitCode {
  const typed = parse(words)
  const [name] = typed.positionals
  if (typed.values.version) {
    terminal.print(version())
    return 0
  }
  if (typed.values.help) {
    terminal.print(HELP)
    return 0
  }
  if (name === undefined) throw new UsageError('Say what to do.')
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) throw new UsageError(`There is no command ${name}.`)
  return command(typed, terminal)
}

/** Does what the words say; answers how it ended. */
export function main(words: readonly string[], terminal: Terminal): ExitCode {
  try {
    return run(words, terminal)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    terminal.complain(`${error.message}\n\n${HELP}`)
    return 2
  }
}
