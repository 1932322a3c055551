/** The help texts. */
import { styleText } from 'node:util'
import { COMMANDS } from './commands.ts'
import type { Command } from './commands.ts'
import { OPTIONS } from './options.ts'
import type { OptionHelp } from './options.ts'

const DOCUMENTATION = 'node_modules/lib-auth/docs/reference/command-line.md'
const EXIT_CODES = 'Exit codes: 0 success, 1 problems found or command failed, 2 invalid arguments'

const bold = (text: string): string => styleText('bold', text)

/** Aligns the second column. */
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

export function usageOf(name: string, { argument }: Command): string {
  return `Usage: lib-auth ${[name, argument, '[options]'].filter(Boolean).join(' ')}`
}

export function helpOf(name: string, command: Command): string {
  const { summary, details, options, example } = command
  return [
    usageOf(name, command),
    details === undefined ? `${summary}.` : `${summary}. ${details}`,
    `${bold('Options:')}\n${table(optionRows(options))}`,
    `${bold('Example:')} ${example}`,
    `${EXIT_CODES}\nDocumentation: ${DOCUMENTATION}#${name}`,
  ].join('\n\n')
}

export function overview(): string {
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
