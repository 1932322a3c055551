/** A database for the tests of one file, on the server of an environment variable or on a started one. */
import { randomBytes } from 'node:crypto'
import { createConnection } from 'mysql2/promise'
import { Client } from 'pg'
import { afterAll } from 'vitest'
import { withServers } from './servers.ts'
import type { ServerName } from './servers.ts'

interface Database {
  readonly url: string
}

/** Runs a statement on a server. */
type Run = (statement: string) => Promise<unknown>

async function onPostgres(url: string): Promise<Run> {
  const client = new Client({ connectionString: url })
  await client.connect()
  afterAll(() => client.end())
  return (statement) => client.query(statement)
}

async function onMariaDB(url: string): Promise<Run> {
  const connection = await createConnection(url)
  afterAll(() => connection.end())
  return (statement) => connection.query(statement)
}

/** A new database on a server; it is dropped after the last test. */
async function freshDatabase(server: string, run: Run): Promise<Database> {
  const name = `lib_auth_${randomBytes(6).toString('hex')}`
  await run(`create database ${name}`)
  afterAll(() => run(`drop database ${name}`))
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href }
}

const ON_SERVER = {
  postgres: async (url: string) => freshDatabase(url, await onPostgres(url)),
  mariadb: async (url: string) => freshDatabase(url, await onMariaDB(url)),
  redis: async (url: string) => ({ url }),
}

const VARIABLES = {
  postgres: 'TEST_POSTGRES_URL',
  mariadb: 'TEST_MARIADB_URL',
  redis: 'TEST_REDIS_URL',
}

function hasAll<Wanted extends ServerName>(
  found: Partial<Record<ServerName, Database>>,
  names: readonly Wanted[],
): found is Record<Wanted, Database> {
  return names.every((name) => found[name])
}

/** Registers tests that need databases, which no other test file uses. */
export async function withDatabases<Wanted extends ServerName>(
  names: readonly Wanted[],
  register: (databases: Record<Wanted, Database>) => Promise<void> | void,
): Promise<void> {
  const given: Partial<Record<ServerName, Database>> = {}
  for (const name of names) {
    const url = process.env[VARIABLES[name]]
    if (url) given[name] = await ON_SERVER[name](url)
  }
  const others = names.filter((name) => !given[name])
  await withServers(others, (servers) => {
    const all: Partial<Record<ServerName, Database>> = { ...given, ...servers }
    return hasAll(all, names) ? register(all) : undefined
  })
}
