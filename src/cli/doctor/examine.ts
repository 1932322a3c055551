/** The child process of the doctor: executes code of the application, then runs all checks. */
import { writeFileSync } from 'node:fs'
import nodeModule from 'node:module'
import type { Order } from './context.ts'
import * as hooks from './hooks.ts'
import { loadConfig } from './load.ts'
import { runChecks } from './run-checks.ts'

function registerHooks(): void {
  // Since Node.js 22.15, hooks run in the same thread.
  const { registerHooks: register } = nodeModule as { registerHooks?: (given: object) => void }
  if (register) register({ ...hooks })
  else nodeModule.register(new URL('./hooks.js', import.meta.url))
}

// Failures in the background of the application do not concern the configuration.
process.on('uncaughtException', () => undefined)
process.on('unhandledRejection', () => undefined)
const exit = process.exit.bind(process)
process.exit = (code) => {
  throw new Error(`it ended the process (exit code ${code ?? 0}).`)
}
// Node.js ends a process in which only promises are pending, before their timeout.
setInterval(() => undefined, 60_000)
const order: Order = JSON.parse(process.argv[2] ?? '')
if (order.module !== undefined) registerHooks()
writeFileSync(3, JSON.stringify(await runChecks(order, await loadConfig(order))))
exit(0)
