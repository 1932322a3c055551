import type { Adapter } from '../../adapters/index.ts'

/** Receives a warning about behaviour that the contract allows but discourages. */
export type Report = (remark: string) => void

/** One requirement of the adapter contract, with its test. */
export interface AdapterCase {
  /** Begins with the name of the tested method. */
  readonly name: string
  /** The required methods. An adapter that lacks one of them cannot be tested. */
  readonly needs: readonly (keyof Adapter)[]
  /**
   * Tests the adapter with rows of its own, in a database that need not be empty. `report` defaults to `console.warn`.
   *
   * @throws Error with the method, the expected and the actual result
   */
  run(adapter: Adapter, report?: Report): Promise<void>
}

export type Having<Method extends keyof Adapter> = Required<Pick<Adapter, Method>>

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

export class Mismatch extends Error {}

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
        // Errors of a database do not contain the name of the method.
        throw new Error(`${name}: the adapter threw ${String(error)}.`, { cause: error })
      }
    },
  }
}
