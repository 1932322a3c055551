/** `lib-auth schema`: the tables as the adapter's own tools want them. */
import { writeFileSync } from 'node:fs'
import type { Command, Option, Values } from '../command.ts'
import { createTables } from '../database/create-tables.ts'
import { Failure } from '../errors.ts'
import { NAMING, oneOf, readDialect, readNaming } from '../schema-options.ts'
import { UsageError } from '../errors.ts'
import { drizzleSchema } from './drizzle.ts'
import { prismaSchema } from './prisma.ts'

/** How one adapter has its tables. */
interface Printer {
  /** What can be said about them here. */
  readonly options: readonly Option[]
  readonly print: (values: Values) => string
}

const PRINTERS: Readonly<Record<'kysely' | 'drizzle' | 'prisma', Printer>> = {
  kysely: {
    options: NAMING,
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
    throw new UsageError(`Say for which adapter: --adapter ${ADAPTERS.join('|')}`)
  const adapter = oneOf('adapter', values.adapter, ADAPTERS)
  const { options, print } = PRINTERS[adapter]
  const other = NAMING.find((option) => option in values && !options.includes(option))
  if (other === undefined) return print(values)
  throw new UsageError(`--${other} says nothing to ${adapter}: change what is printed.`)
}

/** A file that is there may have been changed by hand. */
function writeNew(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' })
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? cause.code : cause
    const what = reason === 'EEXIST' ? 'is there already, and was not changed' : String(cause)
    throw new Failure(`${file} ${what}.`, { cause })
  }
}

export const schema: Command = {
  usage: '--adapter kysely|drizzle|prisma [--dialect postgres|mysql|mariadb|sqlite] [--out file]',
  help: `Prints the tables, or writes them to a file that is not there yet: as SQL (kysely), as
a module (drizzle), or as models (prisma). The dialect is postgres unless you say.
Names of your own (kysely and drizzle): --columns snake_case, --table users=people,
--column users.emailVerified=verified_at; and for kysely --schema auth and
--ids text|uuid|integer, --no-unique-email.`,
  options: ['adapter', 'dialect', 'out', ...NAMING],
  takes: 'nothing',
  run({ values }, terminal) {
    const text = schemaFor(values)
    if (values.out === undefined) {
      terminal.print(text.trimEnd())
      return 0
    }
    writeNew(values.out, text)
    terminal.print(`${values.out} was written.`)
    return 0
  },
}
