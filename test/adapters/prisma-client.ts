/** Generates Prisma clients without Prisma's command line, which is twice as large. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PrismaDatabase } from '../../src/adapters/prisma.ts'

const APP = fileURLToPath(new URL('../apps/prisma', import.meta.url))
const requireOfApp = createRequire(join(APP, 'package.json'))

/** Methods of a client that tests use, in addition to those of the adapter. */
export interface GeneratedClient extends PrismaDatabase {
  $disconnect(): Promise<void>
  $executeRawUnsafe(statement: string): Promise<number>
  $on(event: 'query', listener: (event: { readonly query: string }) => void): unknown
}

interface Generator {
  generate(): Promise<void>
  stop(): void
}

/** The functions of Prisma's internal package that are used here. */
interface Internals {
  readonly loadSchemaContext: (options: object) => Promise<object>
  readonly getGenerator: (options: object) => Promise<Generator>
}

async function generate(file: string): Promise<void> {
  const { loadSchemaContext, getGenerator }: Internals = requireOfApp('@prisma/internals')
  const { PrismaClientTsGenerator } = requireOfApp('@prisma/client-generator-ts')
  const generator = await getGenerator({
    schemaContext: await loadSchemaContext({
      schemaPath: { cliProvidedPath: file },
      printLoadMessage: false,
    }),
    registry: { 'prisma-client': { type: 'in-process', generator: new PrismaClientTsGenerator() } },
    cliCommand: 'generate',
    skipDownload: true,
  })
  await generator.generate()
  generator.stop()
}

/** Returns the path of the client of a schema, which is generated once; each name has one client at a time. */
export async function generatedClient(name: string, schema: string): Promise<string> {
  const folder = join(APP, 'generated', name)
  const stamp = join(folder, 'stamp')
  const versions = readFileSync(join(APP, 'package.json'), 'utf8')
  const hash = createHash('sha256').update(schema).update(versions).digest('hex')
  const client = join(folder, 'client')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return client
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'schema.prisma'), schema)
  await generate(join(folder, 'schema.prisma'))
  writeFileSync(stamp, hash)
  return client
}

/** Connects the client of a schema through one of Prisma's drivers. */
export async function connectPrisma(
  [name, schema]: readonly [name: string, schema: string],
  [driver, factory, ...how]: readonly [driver: string, factory: string, ...how: unknown[]],
): Promise<GeneratedClient> {
  const folder = await generatedClient(name, schema)
  const { PrismaClient } = (await import(`${folder}/client.ts`)) as {
    PrismaClient: new (options: object) => GeneratedClient
  }
  const Factory = requireOfApp(driver)[factory]
  return new PrismaClient({
    adapter: new Factory(...how),
    log: [{ emit: 'event', level: 'query' }],
  })
}
