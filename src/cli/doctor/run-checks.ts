/** Runs all checks on a configuration. */
import { checkAdapter, configurationChecks } from './checks.ts'
import { checkClock, checkIssuers, checkProviders, checkSite } from './requests.ts'
import { createContext, topic } from './context.ts'
import type { Finding, LoadedConfig, Order } from './context.ts'

async function collect(findings: Iterable<Finding> | AsyncIterable<Finding>): Promise<Finding[]> {
  const found: Finding[] = []
  for await (const finding of findings) found.push(finding)
  return found
}

export async function runChecks(order: Order, loaded: LoadedConfig): Promise<readonly Finding[]> {
  const { module, url, files } = order
  const context = createContext(order, loaded)
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
