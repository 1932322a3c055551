/** Lets the command line tools read the configuration that an application passes to the library. */

/** A registered symbol, because one process may load several copies of the library. */
const LISTENER: symbol = Symbol.for('lib-auth.configurations')

/** Collects configurations from now on. Call it before the application is loaded. */
export function listen(): ReadonlySet<unknown> {
  const configurations = new Set<unknown>()
  Reflect.set(globalThis, LISTENER, configurations)
  return configurations
}

export function announce(configuration: unknown): void {
  const configurations: unknown = Reflect.get(globalThis, LISTENER)
  if (configurations instanceof Set) configurations.add(configuration)
}
