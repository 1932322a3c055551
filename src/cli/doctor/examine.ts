/** The child process of the doctor: executes code of the application, then runs all checks. */
import { checkAdapter } from './adapter.ts'
import type { Finding } from './finding.ts'
import { checkIssuers } from './issuers.ts'
import { loadConfig } from './load-config.ts'
import type { LoadedConfig } from './load-config.ts'
import { checkBasePath, checkCookies, checkOrigin } from './origin.ts'
import { checkPackages, checkSqlite } from './packages.ts'
import { checkProblems } from './problems.ts'
import { checkProviders } from './providers.ts'
import { checkSecrets } from './secrets.ts'
import { checkSite } from './site.ts'
import { createSubject, quoter } from './subject.ts'
import type { Order, Subject } from './subject.ts'

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

async function runChecks(order: Order): Promise<Finding[]> {
  const { folder, config } = order
  const loaded: LoadedConfig =
    config === undefined
      ? { usesLib: false }
      : await loadConfig(folder, config, quoter(process.env, {}))
  const subject = createSubject(order, loaded)
  const checks = [...(order.isLocal ? FOLDER_CHECKS : []), ...NETWORK_CHECKS]
  const results = await Promise.all(checks.map((check) => check(subject)))
  return [
    ...(loaded.finding ? [loaded.finding] : []),
    ...results.flatMap((each) => Array.from(each)),
    ...subject.clock.check(),
  ]
}

const parsed: Order = JSON.parse(process.argv[2] ?? '')
const findings = await runChecks(parsed)
process.send?.({ findings }, () => process.exit(0))
