import { isRecord } from '../is-record.ts'

/**
 * The state of this process that must exist once: a bundler may put several instances of a module into one process, and
 * a framework may evaluate the configuration several times. Registered, and numbered by the format of its tables.
 */
const MEMORY: symbol = Symbol.for('lib-auth.process.1')

function sharedMemory(): object {
  const found: unknown = Reflect.get(globalThis, MEMORY)
  if (isRecord(found)) return found
  const created = {}
  Reflect.set(globalThis, MEMORY, created)
  return created
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
  const table: unknown = Reflect.get(memory, name)
  if (isRecord(table) && isValid(table)) return table
  const created = create()
  Reflect.set(memory, name, created)
  return created
}
