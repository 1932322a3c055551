/** The child process of the doctor: executes code of the application, then runs all checks. */
import { writeFileSync } from 'node:fs'
import { checkAdapter, configurationChecks } from './checks.ts'
import { loadConfig } from './load.ts'
import { checkClock, checkIssuers, checkProviders, checkSite } from './requests.ts'
import { createContext, topic } from './context.ts'
import type { Finding, Order } from './context.ts'

async function collect(findings: Iterable<Finding> | AsyncIterable<Finding>): Promise<Finding[]> {
  const found: Finding[] = []
  for await (const finding of findings) found.push(finding)
  return found
}

async function runChecks(order: Order): Promise<Finding[]> {
  const { module, url, files } = order
  const context = createContext(order, await loadConfig(order))
  // With --url alone, the folder need not belong to the site.
  const isLocal = module !== undefined || url === undefined
  const local = isLocal ? [...configurationChecks, checkProviders, checkAdapter] : []
  const checks = [...local, checkIssuers, checkSite]
  const results = await Promise.all(checks.map((check) => collect(check(context))))
  const found = [...results.flat(), ...checkClock(context)]
  const places = [...files, 'the environment of the process'].join(', ')
  const environment = topic('environment')
    .ok`variables from ${places}, for NODE_ENV=${process.env['NODE_ENV']}.`
  return isLocal ? [environment, context.loading, ...found] : found
}

// Failures in the background of the application do not concern the configuration.
process.on('uncaughtException', () => undefined)
process.on('unhandledRejection', () => undefined)
const exit = process.exit.bind(process)
// Node.js ends a process in which only promises are pending, before their timeout.
setInterval(() => undefined, 60_000)
writeFileSync(3, JSON.stringify(await runChecks(JSON.parse(process.argv[2] ?? ''))))
exit(0)
