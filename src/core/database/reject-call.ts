import { AdapterError } from '../errors/classes.ts'

/** Reports a result of the adapter that breaks the contract. @throws AdapterError */
export function rejectCall(method: string, problem: string): never {
  throw new AdapterError(`The adapter method ${method} ${problem}.`, { method })
}

/** Returns a result that must be a boolean. @throws AdapterError */
export function requireBoolean(result: boolean | null, method: string): boolean {
  return typeof result === 'boolean' ? result : rejectCall(method, 'did not return a boolean')
}
