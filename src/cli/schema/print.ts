/** `lib-auth schema` prints the tables for the tools of an adapter. */
import { writeFileSync } from 'node:fs'
import { createTables } from '../database/create-tables.ts'
import { Failure, messageOf, UsageError } from '../errors.ts'
import { NAMING, oneOf, readDialect, readNaming } from '../options.ts'
import type { Values } from '../options.ts'
import type { ExitCode, Terminal } from '../terminal.ts'
import { drizzleSchema } from './drizzle.ts'
import { prismaSchema } from './prisma.ts'

const ADAPTERS = ['kysely', 'drizzle', 'prisma'] as const
const NAMED: readonly string[] = Object.keys(NAMING)
/** The options of {@link NAMING} that have an effect. */
const EFFECTIVE = { kysely: NAMED, drizzle: ['columns', 'column', 'table'], prisma: [] }

function schemaFor(values: Values): string {
  if (values.adapter === undefined)
    throw new UsageError(`The adapter is missing: --adapter ${ADAPTERS.join('|')}`)
  const adapter = oneOf('--adapter', values.adapter, ADAPTERS)
  const effective: readonly string[] = EFFECTIVE[adapter]
  const other = NAMED.find((option) => option in values && !effective.includes(option))
  if (other !== undefined)
    throw new UsageError(
      `--${other} has no effect with ${adapter}: edit the printed schema instead.`,
    )
  const dialect = readDialect(values)
  if (adapter === 'prisma') return prismaSchema(dialect)
  const names = readNaming(values)
  if (adapter === 'drizzle') return drizzleSchema(dialect === 'mariadb' ? 'mysql' : dialect, names)
  const statements = createTables({ dialect, ...names })
  return statements.map(({ statement }) => `${statement};\n`).join('\n')
}

export function printSchema(values: Values, terminal: Terminal): ExitCode {
  const { out } = values
  const text = schemaFor(values)
  try {
    // Existing files are kept, because they may have been edited.
    if (out !== undefined) writeFileSync(out, text, { flag: 'wx' })
  } catch (cause) {
    const isKept = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST'
    const what = isKept
      ? 'exists already and was not changed.'
      : `was not written: ${messageOf(cause)}`
    throw new Failure(`${out} ${what}`, { cause })
  }
  terminal.print(out === undefined ? text.trimEnd() : `Wrote ${out}.`)
  return 0
}
