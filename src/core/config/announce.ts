/** Key of the collection on `globalThis`; registered, because one process may load several copies of the library. */
const COLLECTION: unique symbol = Symbol.for('lib-auth.configurations')

/** What the application passed to a wrapper. */
export interface Announced {
  readonly configuration: unknown
  /** Base path of the routes, if the configuration does not set one. */
  readonly basePath: string
  /** Whether Next.js serves the routes from a file. */
  readonly isNext: boolean
}

const scope = globalThis as { [COLLECTION]?: Announced[] }

/** Collects the configurations that the application passes to the library, for the command line tools. */
export function collectConfigurations(): readonly Announced[] {
  const configurations: Announced[] = []
  scope[COLLECTION] = configurations
  return configurations
}

export function announceConfiguration(announced: Announced): void {
  scope[COLLECTION]?.push(announced)
}
