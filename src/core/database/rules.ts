/** What is done with the arguments and the result of each adapter method. */
import type { Adapter, AdapterAccountKey } from './adapter.ts'
import type { Awaitable } from '../types.ts'

export type Method = Exclude<keyof Adapter, 'transaction' | 'deleteExpired'>

type Signatures = {
  readonly [M in Method]: {
    readonly args: Parameters<NonNullable<Adapter[M]>>
    readonly row: Awaited<ReturnType<NonNullable<Adapter[M]>>>
  }
}

/** Methods whose result is not used, so that an adapter may return nothing. */
type MethodWithoutResult = 'createAuthenticator' | 'updateAuthenticatorCounter'

export type Arguments<M extends Method> = Signatures[M]['args']
export type Row<M extends Method> = Signatures[M]['row']
export type Result<M extends Method> = M extends MethodWithoutResult
  ? null
  : Exclude<Row<M>, undefined | void> | (undefined extends Row<M> ? null : never)

/** The methods of an adapter by name, in a form that a generic function can call. */
export type AdapterMethods = {
  readonly [M in Method]?: (...args: Arguments<M>) => Awaitable<Row<M>>
}

export interface Rules<M extends Method> {
  /** Validates the row; throws AdapterError if it is invalid. */
  readonly read: (row: NonNullable<Row<M>> | null, method: string, args: Arguments<M>) => Result<M>
  /** Whether the row has the requested key: a case-insensitive collation may return another row. */
  readonly matches?: (result: NonNullable<Result<M>>, args: Arguments<M>) => boolean
  readonly pick?: (args: Arguments<M>) => Arguments<M>
  /** The result for a key that databases cannot store. @default that of `read` without a row */
  readonly unstorable?: Result<M>
  /** Calls with the same text run one after another. */
  readonly turn?: (args: Arguments<M>) => string
  /** The session to delete if the call completes after its deadline, because no browser has its token. */
  readonly undo?: (row: Row<M>, args: Arguments<M>) => string
  /** Timeout in milliseconds. @default 5000 */
  readonly timeout?: number
  /** Encrypts what is written. */
  readonly seal?: (args: Arguments<M>, columns: AccountColumns) => Promise<Arguments<M>>
  /** Decrypts what was read. */
  readonly open?: (result: NonNullable<Result<M>>, columns: AccountColumns) => Awaitable<Result<M>>
}

/** Encrypts and decrypts the tokens of an account. */
export interface AccountColumns {
  seal<R extends AdapterAccountKey>(row: R): Promise<R>
  open<R extends AdapterAccountKey>(row: R): Awaitable<R>
}
