/** One thing an adapter has to do. */
import type { Adapter } from '../../adapters/index.ts'

/** Hears what an adapter may do, but had better not. */
export type Report = (remark: string) => void

/** One thing an adapter has to do, and how to find out. */
export interface AdapterCase {
  /** Begins with the method it is about. */
  readonly name: string
  /** The methods it calls. An adapter that lacks one of them cannot be asked. */
  readonly needs: readonly (keyof Adapter)[]
  /**
   * Resolves if the adapter does it. Works with rows of its own, so the database need not be empty, and the
   * order of the cases is no matter.
   *
   * @param report hears remarks; `console.warn` if it is left out
   * @throws an error that names the method, what was expected and what came
   */
  run(adapter: Adapter, report?: Report): Promise<void>
}

/** An adapter that has these methods. */
export type Having<Method extends keyof Adapter> = Required<Pick<Adapter, Method>>

/** The methods that an adapter does not have. */
export function missingMethods<Method extends keyof Adapter>(
  adapter: Adapter,
  methods: readonly Method[],
): readonly Method[] {
  return methods.filter((method) => typeof adapter[method] !== 'function')
}

function has<Method extends keyof Adapter>(
  adapter: Adapter,
  methods: readonly Method[],
): adapter is Adapter & Having<Method> {
  return missingMethods(adapter, methods).length === 0
}

/** The adapter did something else than it has to do. */
export class Mismatch extends Error {}

/** A case; what it calls has to be among what it needs. */
export function adapterCase<Method extends keyof Adapter>(
  name: string,
  needs: readonly Method[],
  body: (adapter: Having<Method>, report: Report) => Promise<void>,
): AdapterCase {
  return {
    name,
    needs,
    async run(adapter, report = console.warn) {
      if (!has(adapter, needs))
        throw new Error(`The adapter has no ${missingMethods(adapter, needs).join(', ')}.`)
      try {
        await body(adapter, report)
      } catch (error) {
        if (error instanceof Mismatch) throw error
        // What a database says about itself names no method.
        throw new Error(`${name}: the adapter threw ${String(error)}.`, { cause: error })
      }
    },
  }
}
