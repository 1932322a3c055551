/** Lets a tool that loads an application see which configuration it gives to the library. */

/** Shared by every copy of the library in a process. */
const LISTENER: symbol = Symbol.for('lib-auth.configurations')

/** Starts to collect what is announced in this process: for tools, before they load an application. */
export function listen(): ReadonlySet<unknown> {
  const heard = new Set<unknown>()
  Reflect.set(globalThis, LISTENER, heard)
  return heard
}

/** Tells who listens; where an application runs, that is nobody. */
export function announce(configuration: unknown): void {
  const heard: unknown = Reflect.get(globalThis, LISTENER)
  if (heard instanceof Set) heard.add(configuration)
}
