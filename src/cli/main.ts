/** Reads what was typed, and runs the command. */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { OPTIONS } from './command.ts'
import type { Command, Option, Typed } from './command.ts'
import { COMMANDS } from './commands.ts'
import { Failure } from './errors.ts'
import type { ExitCode, Terminal } from './terminal.ts'
import { UsageError } from './errors.ts'

const END = `Ends with 0 when it was done, with 1 when something could not be done, and with 2 when
it is not clear what to do.`

function commandNamed(name: string | undefined): Command | undefined {
  return name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
}

const lineOf = (name: string, { usage }: Command) => `${name} ${usage}`.trimEnd()
const indented = (text: string) => text.replaceAll(/^/gm, '      ')

/** How a command is used, or all of them. */
function helpOf(name?: string): string {
  const command = commandNamed(name)
  if (name !== undefined && command)
    return `Usage: lib-auth ${lineOf(name, command)}\n\n${command.help}\n\n${END}`
  const all = Object.entries(COMMANDS).map(
    ([each, one]) => `  ${lineOf(each, one)}\n${indented(one.help)}\n`,
  )
  return `Usage: lib-auth <command>

${all.join('\n')}
  --help       Prints this, or what a command does when it comes after its name.
  --version    Prints the version.

${END}`
}

function parse(words: readonly string[]): Typed {
  try {
    return parseArgs({ args: [...words], allowPositionals: true, options: OPTIONS })
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

function isOption(name: string): name is Option {
  return Object.hasOwn(OPTIONS, name)
}

/** Says what a command does not understand. */
function checkTyped(name: string, { options, takes }: Command, typed: Typed): void {
  const given = Object.keys(typed.values).filter(isOption)
  const other = given.find((option) => !options.includes(option))
  if (other !== undefined) throw new UsageError(`${name} has no option --${other}.`)
  const [, word] = typed.positionals
  if (takes === 'nothing' && word !== undefined)
    throw new UsageError(`${name} does not know what to do with "${word}".`)
}

async function run(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const typed = parse(words)
  const [name] = typed.positionals
  if (typed.values.version) {
    terminal.print(version())
    return 0
  }
  if (typed.values.help) {
    terminal.print(helpOf(name))
    return 0
  }
  if (name === undefined) throw new UsageError('Say what to do.')
  const command = commandNamed(name)
  if (!command) throw new UsageError(`There is no command ${name}.`)
  checkTyped(name, command, typed)
  return command.run(typed, terminal)
}

/** Does what the words say; resolves with how it ended. */
export async function main(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  try {
    return await run(words, terminal)
  } catch (error) {
    if (error instanceof Failure) {
      terminal.complain(error.message)
      return 1
    }
    if (!(error instanceof UsageError)) throw error
    terminal.complain(`${error.message}\n\n${helpOf(words.find((word) => !word.startsWith('-')))}`)
    return 2
  }
}
