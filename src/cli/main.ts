/** Parses the arguments, and runs the command. */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { OPTIONS } from './command.ts'
import type { Arguments, Command } from './command.ts'
import { COMMANDS } from './commands.ts'
import { Failure, UsageError } from './errors.ts'
import { helpOf, overview, usageOf } from './help.ts'
import { nearest } from './nearest.ts'
import type { ExitCode, Terminal } from './terminal.ts'

function commandNamed(name: string): Command | undefined {
  return Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
}

function requireCommand(name: string): Command {
  const command = commandNamed(name)
  if (command) return command
  const similar = nearest(name, [...Object.keys(COMMANDS), 'help'])
  throw new UsageError(`Unknown command ${name}.${similar ? ` Did you mean ${similar}?` : ''}`)
}

/** Parses the arguments against the options of the command, with messages of our own. */
function parseArguments(args: string[], name: string | undefined): Arguments {
  const options = { ...OPTIONS }
  const { tokens } = parseArgs({
    args,
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const command = name === undefined ? undefined : commandNamed(name)
  const allowed = ['help', 'version', ...Object.keys(command?.options ?? {})]
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const { rawName, value, inlineValue } = token
    const option = Object.entries(options).find(([each]) => each === token.name)?.[1]
    if (!option || !allowed.includes(token.name)) {
      const similar = nearest(token.name, allowed)
      throw new UsageError(
        `${name === undefined ? 'Unknown option' : `${name} has no option`} ${rawName}.${similar ? ` Did you mean --${similar}?` : ''}`,
      )
    }
    if (option.type === 'boolean' && value !== undefined)
      throw new UsageError(`${rawName} takes no value.`)
    if (option.type === 'string' && (!value || (!inlineValue && value.startsWith('-'))))
      throw new UsageError(`${rawName} needs a value.`)
  }
  return parseArgs({ args, options: OPTIONS, allowPositionals: true })
}

function version(): string {
  const path = new URL('../../package.json', import.meta.url)
  const manifest: { readonly version: string } = JSON.parse(readFileSync(path, 'utf8'))
  return manifest.version
}

async function runCommand(args: string[], terminal: Terminal): Promise<ExitCode> {
  const words = args[0] === 'help' ? [...args.slice(1), '--help'] : args
  const name = words.find((word) => !word.startsWith('-'))
  const command = name === undefined ? undefined : requireCommand(name)
  const given = parseArguments(words, name)
  if (given.values.version) {
    terminal.print(version())
    return 0
  }
  if (given.values.help) {
    terminal.print(name !== undefined && command ? helpOf(name, command) : overview())
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
      terminal.warn(error.message)
      return 1
    }
    if (!(error instanceof UsageError)) throw error
    const name = words.find((word) => !word.startsWith('-') && word !== 'help') ?? ''
    const command = commandNamed(name)
    const help = command
      ? `${usageOf(name, command)}\nAll options: npx lib-auth help ${name}`
      : overview()
    terminal.warn(`${error.message}\n\n${help}`)
    return 2
  }
}
