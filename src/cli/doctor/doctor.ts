/** `lib-auth doctor` checks a configuration, its environment, and optionally a running site. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { styleText } from 'node:util'
import { plainText } from '../../core/log/redact.ts'
import { findModule } from '../application.ts'
import type { Values } from '../options.ts'
import { loadEnvironment } from '../env-files.ts'
import { Failure, UsageError } from '../errors.ts'
import { ownVersion } from '../own-version.ts'
import type { ExitCode, Terminal } from '../terminal.ts'
import type { Finding, Order } from './context.ts'
import { isEarlier, NEXT_AUTH } from './downgrade.ts'

/** Milliseconds until the child process is killed; longer than every timeout in it. */
const TIMEOUT = 30_000
const MAX_LINE_LENGTH = 1000

function locateModule(folder: string, config: string | undefined): string | undefined {
  if (config === undefined) return findModule(folder)
  if (existsSync(resolve(folder, config))) return config
  throw new UsageError(`--config ${config} does not exist.`)
}

type RunChecks = (order: Order, env: NodeJS.ProcessEnv) => Promise<readonly Finding[]>

/** Runs the checks in a child process, because they execute code of the application. */
const runInChild: RunChecks = async (order, env) => {
  const program = fileURLToPath(new URL('./examine.js', import.meta.url))
  const child = spawn(process.execPath, [program, JSON.stringify(order)], {
    cwd: order.folder,
    env,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    timeout: TIMEOUT,
    killSignal: 'SIGKILL',
  })
  const chunks: Uint8Array[] = []
  child.stdio[3]?.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  const why = await new Promise<string>((end) => {
    child.once('error', ({ message }) => end(message))
    child.once('close', (code, signal) => end(signal ?? `exit code ${code}`))
  })
  const printed = Buffer.concat(chunks).toString()
  if (printed) return JSON.parse(printed)
  throw new Failure(
    `${order.module ?? 'The checks'} ended the process (${why}). Move the configuration into a module without side effects: --config <file>`,
  )
}

const SIGNS = { ok: ['✓', 'green'], warning: ['!', 'yellow'], error: ['✗', 'red'] } as const

function printFindings(findings: readonly Finding[], terminal: Terminal): void {
  for (const { level, about, what, write } of findings) {
    const [sign, color] = SIGNS[level]
    // Findings contain text of sites and modules.
    terminal.print(`${styleText(color, sign)} ${plainText(`${about}: ${what}`, MAX_LINE_LENGTH)}`)
    if (write !== undefined) terminal.print(`    ${plainText(write, MAX_LINE_LENGTH)}`)
  }
}

/** Where the command runs. */
interface Place {
  readonly folder?: string
  readonly env?: NodeJS.ProcessEnv
  readonly runChecks?: RunChecks
}

export async function doctor(
  { config, url, json, downgrade }: Values,
  terminal: Terminal,
  { folder = process.cwd(), env: given = process.env, runChecks = runInChild }: Place = {},
): Promise<ExitCode> {
  if (url !== undefined && !(URL.canParse(url) && /^https?:/i.test(url)))
    throw new UsageError(`--url ${url} is not an http or https URL such as https://example.com.`)
  if (downgrade !== undefined && !isEarlier(downgrade))
    throw new UsageError(
      `--downgrade ${downgrade} is not a version before ${ownVersion()}, which runs this command. Write a version such as 0.1.0, or ${NEXT_AUTH}.`,
    )
  const module = locateModule(folder, config)
  const { env, ...environment } = loadEnvironment(folder, given)
  terminal.progress('Checking the configuration, issuers and site …')
  const findings = await runChecks({ folder, module, url, downgrade, ...environment }, env)
  terminal.progress('')
  const errors = findings.filter(({ level }) => level === 'error').length
  const warnings = findings.filter(({ level }) => level === 'warning').length
  if (json) terminal.print(JSON.stringify({ errors, warnings, findings }, null, 2))
  else {
    printFindings(findings, terminal)
    const counts = `Errors (✗): ${errors}. Warnings (!): ${warnings}.`
    terminal.print(`\n${errors + warnings === 0 ? 'No problems found.' : counts}`)
  }
  return errors > 0 ? 1 : 0
}
