/** Key of the collection on `globalThis`; registered, because one process may load several copies of the library. */
const COLLECTION: symbol = Symbol.for('lib-auth.configurations')

/** Collects the configurations that the application passes to the library, for the command line tools. */
export function collectConfigurations(): ReadonlySet<unknown> {
  const configurations = new Set<unknown>()
  Reflect.set(globalThis, COLLECTION, configurations)
  return configurations
}

export function announceConfiguration(configuration: unknown): void {
  const configurations: unknown = Reflect.get(globalThis, COLLECTION)
  if (configurations instanceof Set) configurations.add(configuration)
}
