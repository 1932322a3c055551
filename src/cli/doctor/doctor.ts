/** `lib-auth doctor` checks a configuration, its environment, and optionally a running site. */
import { fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { styleText } from 'node:util'
import { UsageError } from '../errors.ts'
import type { ExitCode, Terminal } from '../terminal.ts'
import { loadEnvironment } from './env-files.ts'
import { linesOf, topic } from './finding.ts'
import type { Finding, Level } from './finding.ts'
import type { Order } from './subject.ts'

export interface DoctorOptions {
  readonly folder: string
  readonly config: string | undefined
  readonly url: string | undefined
  readonly output: 'lines' | 'json'
}

const FOLDERS = ['', 'src', 'lib', 'src/lib', 'server', 'src/server']
const EXTENSIONS = ['ts', 'mts', 'tsx', 'js', 'mjs']
/** Milliseconds until the child process is killed; longer than every timeout in it. */
const TIMEOUT = 30_000

const { warning, error } = topic('configuration')

function findModule(folder: string, config: string | undefined): string | undefined {
  if (config !== undefined) {
    const path = isAbsolute(config) ? relative(folder, config) : config
    if (existsSync(join(folder, path))) return path
    throw new UsageError(`--config ${config} does not exist.`)
  }
  const names = FOLDERS.flatMap((each) => EXTENSIONS.map((ending) => join(each, `auth.${ending}`)))
  return names.find((name) => existsSync(join(folder, name)))
}

function parseSite(url: string): string {
  const { protocol, href } = URL.canParse(url) ? new URL(url) : { protocol: '', href: '' }
  if (protocol === 'https:' || protocol === 'http:') return href
  throw new UsageError(`--url ${url} is not an http or https URL such as https://example.com.`)
}

function isReport(message: unknown): message is { readonly findings: readonly Finding[] } {
  return typeof message === 'object' && message !== null && 'findings' in message
}

/** Runs the checks in a child process, because they execute code of the application; returns why it ended if they fail. */
function runChecks(order: Order, env: Readonly<Record<string, string>>) {
  const child = fork(new URL('./examine.js', import.meta.url), [JSON.stringify(order)], {
    cwd: order.folder,
    env,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT)
  return new Promise<readonly Finding[] | string>((resolve) => {
    child.on('message', (message) => isReport(message) && resolve(message.findings))
    child.once('error', ({ message }) => resolve(message))
    child.once('exit', (code, signal) =>
      resolve(signal ? `timeout after ${TIMEOUT / 1000} seconds` : `exit code ${code ?? 0}`),
    )
  }).finally(() => clearTimeout(timer))
}

/** Runs the checks; if the module of the application ends the process, once more without the module. */
async function runAllChecks(order: Order, env: Readonly<Record<string, string>>) {
  const first = await runChecks(order, env)
  if (typeof first !== 'string') return first
  const failure = error`${order.config ?? 'the checks'} ended the process (${first}). → The remaining checks ran without it. Move the configuration into a module without side effects: --config <file>`
  if (order.config === undefined) return [failure]
  const second = await runChecks({ ...order, config: undefined }, env)
  return [failure, ...(typeof second === 'string' ? [] : second)]
}

const COLORS = { ok: 'green', warning: 'yellow', error: 'red' } as const

function printFindings(
  findings: readonly Finding[],
  output: DoctorOptions['output'],
  terminal: Terminal,
): void {
  const count = (level: Level) => findings.filter((each) => each.level === level).length
  const [errors, warnings] = [count('error'), count('warning')]
  if (output === 'json') {
    terminal.print(JSON.stringify({ errors, warnings, findings }, null, 2))
    return
  }
  for (const finding of findings) {
    const [first = '', ...advice] = linesOf(finding)
    terminal.print(styleText(COLORS[finding.level], first.slice(0, 1)) + first.slice(1))
    for (const line of advice) terminal.print(line)
  }
  const plural = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`
  const summary = `${plural(errors, 'error')} (✗), ${plural(warnings, 'warning')} (!).`
  terminal.print(`\n${errors + warnings === 0 ? 'No problems found.' : summary}`)
}

export async function doctor(options: DoctorOptions, terminal: Terminal): Promise<ExitCode> {
  const { folder, output } = options
  const url = options.url === undefined ? undefined : parseSite(options.url)
  const config = findModule(folder, options.config)
  const { env, sources, hasFiles, findings } = loadEnvironment(folder, process.env)
  // With --url alone, the folder need not belong to the site.
  const isLocal = config !== undefined || hasFiles || url === undefined
  terminal.progress('Checking the configuration, issuers and site …')
  const found = await runAllChecks({ folder, config, url, sources, isLocal }, env)
  terminal.progress('')
  const missing = warning`no auth.ts in ${folder}, nor in its folders src, lib and server. → Name the module: --config <file>`
  const all = [
    ...(isLocal ? findings : []),
    ...(isLocal && config === undefined ? [missing] : []),
    ...found,
  ]
  printFindings(all, output, terminal)
  return all.some(({ level }) => level === 'error') ? 1 : 0
}
