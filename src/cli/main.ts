/** Parses the arguments, prints help, and runs the command. */
import { parseArgs, styleText } from 'node:util'
import { COMMANDS } from './commands.ts'
import type { Command } from './commands.ts'
import { Failure, suggestion, UsageError } from './errors.ts'
import { OPTIONS } from './options.ts'
import type { Arguments, OptionHelp } from './options.ts'
import { ownVersion } from './own-version.ts'
import { printable } from './terminal.ts'
import type { ExitCode, Terminal } from './terminal.ts'

const DOCUMENTATION = 'node_modules/lib-auth/docs/reference/command-line.md'
const EXIT_CODES = 'Exit codes: 0 success, 1 problems found or command failed, 2 invalid arguments'

const bold = (text: string): string => styleText('bold', text)

function table(rows: readonly (readonly [left: string, right: string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}

function optionRows(options: OptionHelp): (readonly [string, string])[] {
  const shorts = Object.entries<{ readonly type: string; readonly short?: string }>(OPTIONS)
  const all: OptionHelp = { ...options, help: ['', 'Print this help'] }
  return Object.entries(all).map(([name, [value, help]]) => {
    const short = shorts.find(([each]) => each === name)?.[1].short
    return [`${short ? `-${short}, ` : '    '}--${name} ${value}`.trimEnd(), help]
  })
}

function formatUsage(name: string, { argument }: Command): string {
  return `Usage: lib-auth ${[name, argument, '[options]'].filter(Boolean).join(' ')}`
}

function formatHelp(name: string, command: Command): string {
  const { summary, details, options, example } = command
  return [
    formatUsage(name, command),
    details === undefined ? `${summary}.` : `${summary}. ${details}`,
    `${bold('Options:')}\n${table(optionRows(options))}`,
    `${bold('Example:')} ${example}`,
    `${EXIT_CODES}\nDocumentation: ${DOCUMENTATION}#${name}`,
  ].join('\n\n')
}

function overview(): string {
  const commands = Object.entries(COMMANDS).map(([name, { summary }]) => [name, summary] as const)
  const help = ['help <command>', 'Print the options of a command'] as const
  const options: OptionHelp = { version: ['', 'Print the version'] }
  return [
    'Usage: lib-auth <command> [options]',
    `${bold('Commands:')}\n${table([...commands, help])}`,
    `${bold('Options:')}\n${table(optionRows(options))}`,
    `${bold('Example:')} npx lib-auth doctor`,
    `${EXIT_CODES}\nDocumentation: ${DOCUMENTATION}`,
  ].join('\n\n')
}

function commandNamed(name: string): Command | undefined {
  return Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
}

/** Parses the arguments against the options of the command, with messages of our own. */
function parseArguments(args: string[], name?: string, command?: Command): Arguments {
  const settings = { args, options: OPTIONS, allowPositionals: true } as const
  const allowed = ['help', 'version', ...Object.keys(command?.options ?? {})]
  for (const token of parseArgs({ ...settings, strict: false, tokens: true }).tokens) {
    if (token.kind !== 'option') continue
    const { rawName, value, inlineValue } = token
    const option = Object.entries(OPTIONS).find(([each]) => each === token.name)?.[1]
    if (!option || !allowed.includes(token.name))
      throw new UsageError(
        `${name === undefined ? 'Unknown option' : `${name} has no option`} ${rawName}.${suggestion(token.name, allowed, '--')}`,
      )
    if (option.type === 'boolean' && value !== undefined)
      throw new UsageError(`${rawName} takes no value.`)
    if (option.type === 'string' && (!value || (!inlineValue && value.startsWith('-'))))
      throw new UsageError(`${rawName} needs a value.`)
  }
  return parseArgs(settings)
}

async function runCommand(args: string[], terminal: Terminal): Promise<ExitCode> {
  const words = args[0] === 'help' ? [...args.slice(1), '--help'] : args
  const name = words.find((word) => !word.startsWith('-'))
  const command = name === undefined ? undefined : commandNamed(name)
  if (name !== undefined && !command)
    throw new UsageError(
      `Unknown command ${name}.${suggestion(name, [...Object.keys(COMMANDS), 'help'])}`,
    )
  const given = parseArguments(words, name, command)
  if (given.values.version) {
    terminal.print(ownVersion())
    return 0
  }
  if (given.values.help) {
    terminal.print(name !== undefined && command ? formatHelp(name, command) : overview())
    return 0
  }
  if (name === undefined || !command) throw new UsageError('A command is missing.')
  const [, argument, ...others] = given.positionals
  const unexpected = command.argument === undefined ? argument : others[0]
  if (unexpected !== undefined) throw new UsageError(`Unexpected argument "${unexpected}".`)
  return command.run(given, terminal)
}

export async function main(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  try {
    return await runCommand([...words], terminal)
  } catch (error) {
    if (error instanceof Failure) {
      terminal.warn(printable(error.message))
      return 1
    }
    if (!(error instanceof UsageError)) throw error
    const name = words.find((word) => !word.startsWith('-') && word !== 'help') ?? ''
    const command = commandNamed(name)
    const help = command
      ? `${formatUsage(name, command)}\nAll options: npx lib-auth help ${name}`
      : overview()
    terminal.warn(`${printable(error.message)}\n\n${help}`)
    return 2
  }
}
