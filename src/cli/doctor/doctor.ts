/** `lib-auth doctor`: says what is wrong with a configuration, and what to write instead. */
import { fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import type { ExitCode, Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'
import { loadEnvironment } from './env-files.ts'
import type { LoadedEnvironment } from './env-files.ts'
import type { Order } from './examine.ts'
import { findingsIn, linesOf, topic } from './finding.ts'
import type { Finding } from './finding.ts'

/** What was asked for. */
export interface DoctorOptions {
  /** Where the application is. */
  readonly folder: string
  readonly config: string | undefined
  readonly url: string | undefined
  readonly output: 'lines' | 'json'
}

const FOLDERS = ['', 'src', 'lib', 'src/lib', 'server', 'src/server']
const ENDINGS = ['ts', 'mts', 'tsx', 'js', 'mjs']

/** Milliseconds until a process that looks counts as stuck: more than all that it waits for. */
const LIMIT = 30_000

/** The module of the configuration, from the folder; `undefined`: it is not where it usually is. */
function moduleIn(folder: string): string | undefined {
  const names = FOLDERS.flatMap((each) => ENDINGS.map((ending) => join(each, `auth.${ending}`)))
  return names.find((name) => existsSync(join(folder, name)))
}

function givenModule(folder: string, config: string): string {
  const path = isAbsolute(config) ? relative(folder, config) : config
  if (existsSync(join(folder, path))) return path
  throw new UsageError(`--config ${config} is not there.`)
}

/** The URL of a site: what follows the path says nothing about it. */
function givenSite(url: string): string {
  const { protocol, href } = URL.canParse(url) ? new URL(url) : { protocol: '', href: '' }
  if (protocol === 'https:' || protocol === 'http:') return href
  throw new UsageError(`--url ${url} is no URL: it has to look like https://example.com.`)
}

/** What a process found out that looked; or how it ended before that. */
function look(order: Order, env: LoadedEnvironment['env']): Promise<readonly Finding[] | string> {
  const child = fork(new URL('./child.js', import.meta.url), [JSON.stringify(order)], {
    cwd: order.folder,
    env,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT)
  return new Promise<readonly Finding[] | string>((resolve) => {
    child.on('message', (message) => {
      const findings = findingsIn(message)
      if (findings) resolve(findings)
    })
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) =>
      resolve(signal ? `it was ended after ${LIMIT / 1000} seconds` : `it ended with ${code ?? 0}`),
    )
  }).finally(() => clearTimeout(timer))
}

/** Looks; and if the code of the application gets in the way, once more without it. */
async function lookTwice(order: Order, env: LoadedEnvironment['env']): Promise<readonly Finding[]> {
  const first = await look(order, env)
  if (typeof first !== 'string') return first
  const about = topic('configuration')
  const finding = about.error(
    `${order.config ?? 'the process'} did not let itself be looked at: ${first}.`,
    'What follows is without it. Put the configuration into a file that does nothing else, and name it: --config <file>',
  )
  const second = order.config === undefined ? '' : await look({ ...order, config: undefined }, env)
  return [finding, ...(typeof second === 'string' ? [] : second)]
}

function describeFiles({ files, env }: LoadedEnvironment): Finding {
  const read =
    files.length > 0 ? `${files.join(', ')} and the process` : 'the process; no .env file'
  return topic('environment').ok(`${read}, for NODE_ENV=${env['NODE_ENV'] ?? ''}.`)
}

function noModule(folder: string): Finding {
  const names = FOLDERS.slice(0, 3).map((each) => join(each, 'auth.ts'))
  return topic('configuration').warning(
    `not found: ${names.join(', ')} and the like are not in ${folder}.`,
    'Say where it is: --config <file>',
  )
}

function print(
  findings: readonly Finding[],
  output: DoctorOptions['output'],
  terminal: Terminal,
): void {
  const count = (level: Finding['level']) => findings.filter((each) => each.level === level).length
  const [errors, warnings] = [count('error'), count('warning')]
  if (output === 'json') {
    terminal.print(JSON.stringify({ errors, warnings, findings }, null, 2))
    return
  }
  for (const finding of findings) for (const line of linesOf(finding)) terminal.print(line)
  terminal.print('')
  terminal.print(
    errors + warnings === 0 ? 'Nothing is wrong.' : `${errors} wrong (✗), ${warnings} to know (!).`,
  )
}

/** Runs the command. */
export async function doctor(options: DoctorOptions, terminal: Terminal): Promise<ExitCode> {
  const { folder, output } = options
  const url = options.url === undefined ? undefined : givenSite(options.url)
  const config =
    options.config === undefined ? moduleIn(folder) : givenModule(folder, options.config)
  const loaded = loadEnvironment(folder, process.env)
  const isHere = config !== undefined || loaded.files.length > 0 || url === undefined
  const environment = isHere ? 'looked at' : 'ignored'
  terminal.progress('Looking at the configuration, and asking those it names …')
  const found = await lookTwice(
    { folder, config, url, origins: loaded.origins, environment },
    loaded.env,
  )
  terminal.progress('')
  const findings = [
    ...(isHere ? [describeFiles(loaded), ...loaded.findings] : []),
    ...(config === undefined && isHere ? [noModule(folder)] : []),
    ...found,
  ]
  print(findings, output, terminal)
  return findings.some(({ level }) => level === 'error') ? 1 : 0
}
