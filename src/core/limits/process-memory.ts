import { isRecord } from '../is-record.ts'

/**
 * The state of this process that must exist once: a bundler may put several instances of a module into one process, and
 * a framework may evaluate the configuration several times. Registered, and numbered by the format of its tables.
 */
const MEMORY: unique symbol = Symbol.for('lib-auth.process.1')

function sharedMemory(): Record<string, unknown> {
  const scope = globalThis as { [MEMORY]?: Record<string, unknown> }
  return (scope[MEMORY] ??= {})
}

/** The table of this name; `isValid` rejects a value that is not one. */
export function processTable<T extends object>(
  name: string,
  {
    create,
    isValid,
  }: { readonly create: () => T; readonly isValid: (value: object) => value is T },
): T {
  const memory = sharedMemory()
  const table = memory[name]
  if (isRecord(table) && isValid(table)) return table
  const created = create()
  memory[name] = created
  return created
}
