import { AdapterError } from '../errors/classes.ts'

/** Reports a result of the adapter that breaks the contract. @throws AdapterError */
export function rejectCall(method: string, problem: string): never {
  throw new AdapterError(`The adapter method ${method} ${problem}.`, { method })
}
