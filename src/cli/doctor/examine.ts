/** Looks at everything there is to look at. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { normalizeBasePath } from '../../base-path.ts'
import { BASE_PATH } from '../../defaults.ts'
import { AuthError } from '../../errors.ts'
import type { Environment } from '../../variables.ts'
import { examineAdapter } from './adapter.ts'
import { createClock } from './clock.ts'
import { examineCookies } from './cookies.ts'
import { examineDependencies } from './dependencies.ts'
import { topic } from './finding.ts'
import type { Finding } from './finding.ts'
import { examineIssuers } from './issuers.ts'
import { findConfig, isConfig } from './load-module.ts'
import type { Found } from './load-module.ts'
import { examineAsked, examineBasePath, examineOrigin, fixedOrigin } from './origin.ts'
import { adviceOf, describeProblems, describeWarnings } from './problems.ts'
import { examineProviders } from './providers.ts'
import { examineRouteFile } from './route-file.ts'
import { examinePublicNames, examineSecrets } from './secrets.ts'
import { examineSite } from './site.ts'
import { examineSqlite } from './sqlite.ts'
import { createSubject, quoter } from './subject.ts'
import type { Subject } from './subject.ts'

/** What to look at. */
export interface Order {
  readonly folder: string
  /** The module that makes the configuration, from the folder. */
  readonly config: string | undefined
  readonly url: string | undefined
  /** By name, the file of each variable that the process did not have. */
  readonly origins: Readonly<Record<string, string>>
  /** Whether the environment is that of the site. */
  readonly environment: 'looked at' | 'ignored'
}

const about = topic('configuration')

interface Loaded {
  readonly source: unknown
  readonly by: Found['by'] | undefined
  readonly findings: readonly Finding[]
}

/** A configuration that is made for each request: here is none. */
async function given(source: unknown): Promise<unknown> {
  return typeof source === 'function' ? await Reflect.apply(source, undefined, [undefined]) : source
}

async function load({ config, folder }: Order, env: Environment): Promise<Loaded> {
  if (config === undefined) return { source: undefined, by: undefined, findings: [] }
  const nothing = { source: undefined, by: undefined }
  try {
    const found = await findConfig(join(folder, config))
    const source = await given(found?.source)
    if (found && isConfig(source)) {
      const how = found.by === 'Lib' ? 'what it gives to Lib' : 'what it exports'
      return { source, by: found.by, findings: [about.ok(`${config}: ${how}.`)] }
    }
    const what = `${config} has none: it calls no Lib, and exports no object with providers.`
    const write =
      'Write export const config = { providers: [] } there, or say where it is: --config <file>'
    return { ...nothing, findings: [about.error(what, write)] }
  } catch (error) {
    if (error instanceof AuthError) {
      const { what, write } = adviceOf(error)
      return { ...nothing, findings: [about.error(`${config} cannot be loaded: ${what}`, write)] }
    }
    const what = `${config} cannot be loaded here: ${quoter(env, {})(error)}`
    const write =
      'What follows is without it. Put the configuration into a file that imports less, and name it: --config <file>'
    return { ...nothing, findings: [about.error(what, write)] }
  }
}

function usesNext(folder: string): boolean {
  const path = join(folder, 'package.json')
  return existsSync(path) && /"next"\s*:/.test(readFileSync(path, 'utf8'))
}

/** What is known without asking anybody. */
function examineHere(
  subject: Subject,
  { folder, url, environment }: Order,
  isNext: boolean,
): Finding[] {
  if (environment === 'ignored') return []
  const origin = fixedOrigin(subject) ?? (url ? new URL(url).origin : 'https://<your host>')
  const basePath = normalizeBasePath(subject.config.basePath ?? '')
  return [
    ...describeProblems(subject),
    ...describeWarnings(subject),
    ...examineSecrets(subject),
    ...examinePublicNames(subject),
    ...examineOrigin(subject),
    ...(url ? examineAsked(subject, new URL(url)) : []),
    ...(subject.isLoaded || isNext ? examineBasePath(subject) : []),
    ...(subject.isLoaded && isNext ? examineRouteFile(folder, basePath) : []),
    ...(subject.isLoaded ? examineCookies(subject) : []),
    ...examineProviders(subject, origin),
  ]
}

/** Every finding, with what has to be waited for at the end. */
export async function examine(order: Order, env: Environment): Promise<readonly Finding[]> {
  const { source, by, findings } = await load(order, env)
  const isNext = by === 'Lib' || usesNext(order.folder)
  const basePath = isNext ? '/api/auth' : BASE_PATH
  const config = isConfig(source) ? source : undefined
  const subject: Subject = {
    ...createSubject({ given: config, env, origins: order.origins, basePath }),
    isLoaded: config !== undefined,
  }
  const clock = createClock()
  const [adapter, issuers, site] = await Promise.all([
    examineAdapter(subject),
    examineIssuers(subject, clock),
    order.url === undefined ? [] : examineSite(new URL(order.url), subject, clock),
  ])
  const here = examineHere(subject, order, isNext)
  const installed = examineDependencies(order.folder)
  const sqlite = order.environment === 'ignored' ? [] : examineSqlite(order.folder)
  const around = [...adapter, ...sqlite, ...issuers, ...site, ...clock.findings()]
  return [...findings, ...installed, ...here, ...around]
}
