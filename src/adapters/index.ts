/** The contract between the library and a database. */
export { isDate } from '../core/database/adapter.ts'
export type * from '../core/database/adapter.ts'
