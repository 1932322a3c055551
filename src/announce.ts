/** Lets the command line tools read the configuration that an application passes to the library. */

/** A registered symbol, because one process may load several copies of the library. */
const LISTENER: symbol = Symbol.for('lib-auth.configurations')

/** Collects configurations from now on. Call it before the application is loaded. */
export function listen(): ReadonlySet<unknown> {
  const heard = new Set<unknown>()
  Reflect.set(globalThis, LISTENER, heard)
  return heard
}

export function announce(configuration: unknown): void {
  const heard: unknown = Reflect.get(globalThis, LISTENER)
  if (heard instanceof Set) heard.add(configuration)
}
