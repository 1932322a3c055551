/**
 * The process that looks: it runs the code of an application, which may print, wait, keep connections open and end
 * its process.
 */
import type { Order } from './examine.ts'
import { examine } from './examine.ts'

// What fails in the background is no concern of whoever asks about the configuration.
process.on('uncaughtException', () => undefined)
process.on('unhandledRejection', () => undefined)

function isOrder(value: unknown): value is Order {
  return typeof value === 'object' && value !== null && 'folder' in value
}

const order: unknown = JSON.parse(process.argv[2] ?? '')
if (isOrder(order)) {
  const findings = await examine(order, process.env)
  process.send?.({ findings }, () => process.exit(0))
}
