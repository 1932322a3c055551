/** `lib-auth schema` prints the tables for the tools of an adapter. */
import { writeFileSync } from 'node:fs'
import type { Command, Values } from '../command.ts'
import { createTables } from '../database/create-tables.ts'
import { Failure } from '../errors.ts'
import { NAMING, oneOf, readDialect, readNaming } from '../schema-options.ts'
import { UsageError } from '../errors.ts'
import { drizzleSchema } from './drizzle.ts'
import { prismaSchema } from './prisma.ts'

interface Printer {
  /** The options of {@link NAMING} that have an effect. */
  readonly options: readonly string[]
  readonly print: (values: Values) => string
}

const NAMED: readonly string[] = Object.keys(NAMING)

const PRINTERS: Readonly<Record<'kysely' | 'drizzle' | 'prisma', Printer>> = {
  kysely: {
    options: NAMED,
    print: (values) =>
      createTables({ dialect: readDialect(values), ...readNaming(values) })
        .map(({ statement }) => `${statement};\n`)
        .join('\n'),
  },
  drizzle: {
    options: ['columns', 'column', 'table'],
    print(values) {
      const dialect = readDialect(values)
      return drizzleSchema(dialect === 'mariadb' ? 'mysql' : dialect, readNaming(values))
    },
  },
  prisma: { options: [], print: (values) => prismaSchema(readDialect(values)) },
}

const ADAPTERS = ['kysely', 'drizzle', 'prisma'] as const

function schemaFor(values: Values): string {
  if (values.adapter === undefined)
    throw new UsageError(`An adapter is missing: --adapter ${ADAPTERS.join('|')}`)
  const adapter = oneOf('adapter', values.adapter, ADAPTERS)
  const { options, print } = PRINTERS[adapter]
  const other = NAMED.find((option) => option in values && !options.includes(option))
  if (other === undefined) return print(values)
  throw new UsageError(`--${other} has no effect with ${adapter}: edit the printed schema instead.`)
}

/** Existing files are kept, because they may have been edited. */
function writeNew(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' })
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? cause.code : cause
    const what = reason === 'EEXIST' ? 'exists already and was not changed' : String(cause)
    throw new Failure(`${file} ${what}.`, { cause })
  }
}

export const schema: Command = {
  summary: 'Print the tables as SQL, as a Drizzle module or as Prisma models',
  options: {
    adapter: ['kysely|drizzle|prisma', 'The adapter: SQL, a module or models'],
    dialect: ['<name>', 'postgres (default), mysql, mariadb or sqlite'],
    out: ['<file>', 'Write to a new file; an existing one is not changed'],
    ...NAMING,
  },
  example: 'npx lib-auth schema --adapter drizzle --dialect sqlite --out db/schema.ts',
  run({ values }, terminal) {
    const text = schemaFor(values)
    if (values.out === undefined) {
      terminal.print(text.trimEnd())
      return 0
    }
    writeNew(values.out, text)
    terminal.print(`Wrote ${values.out}.`)
    return 0
  },
}
