/** A dialect of Kysely over `@libsql/client`, as it is on npm. */
export { LibsqlDialect } from 'kysely-libsql'
