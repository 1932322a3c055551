/** The child process of the doctor: executes code of the application, then runs all checks. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkAdapter } from './adapter.ts'
import type { Finding } from './finding.ts'
import { checkIssuers, createClock } from './issuers.ts'
import { loadConfig } from './load-config.ts'
import { checkBasePath, checkCookies, checkOrigin } from './origin.ts'
import { checkPackages, checkSqlite } from './packages.ts'
import { checkProblems } from './problems.ts'
import { checkProviders } from './providers.ts'
import { checkSecrets } from './secrets.ts'
import { checkSite } from './site.ts'
import { createSubject, quoter } from './subject.ts'
import type { Subject } from './subject.ts'

export interface Order {
  readonly folder: string
  /** The path of the module with the configuration, relative to the folder. */
  readonly config: string | undefined
  readonly url: string | undefined
  /** The `.env` file of each variable that is not in the environment of the process. */
  readonly sources: Readonly<Record<string, string>>
  /** Whether the folder belongs to the site. */
  readonly isLocal: boolean
}

type Check = (subject: Subject) => Iterable<Finding> | Promise<Iterable<Finding>>

/** In the order of the output. The checks of the folder are left out if it does not belong to the site. */
const FOLDER_CHECKS: readonly Check[] = [
  checkPackages,
  checkProblems,
  checkSecrets,
  checkOrigin,
  checkBasePath,
  checkCookies,
  checkProviders,
  checkAdapter,
  checkSqlite,
]
const NETWORK_CHECKS: readonly Check[] = [checkIssuers, checkSite]

// Failures in the background of the application do not concern the configuration.
process.on('uncaughtException', () => undefined)
process.on('unhandledRejection', () => undefined)

async function runChecks({ folder, config, url, sources, isLocal }: Order): Promise<Finding[]> {
  const { env } = process
  const loaded =
    config === undefined ? undefined : await loadConfig(folder, config, quoter(env, {}))
  const manifest = join(folder, 'package.json')
  const hasNext = existsSync(manifest) && /"next"\s*:/.test(readFileSync(manifest, 'utf8'))
  const clock = createClock()
  const subject = createSubject({
    folder,
    url: url === undefined ? undefined : new URL(url),
    env,
    sources,
    given: loaded?.config,
    usesNext: loaded?.usesLib || hasNext,
    clock,
  })
  const checks = [...(isLocal ? FOLDER_CHECKS : []), ...NETWORK_CHECKS]
  const results = await Promise.all(checks.map((check) => check(subject)))
  return [
    ...(loaded?.finding ? [loaded.finding] : []),
    ...results.flatMap((each) => Array.from(each)),
    ...clock.check(),
  ]
}

const order: Order = JSON.parse(process.argv[2] ?? '')
const findings = await runChecks(order)
process.send?.({ findings }, () => process.exit(0))
