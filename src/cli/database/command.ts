/** The arguments of `lib-auth migrate`. */
import { loadEnvironment } from '../env-files.ts'
import { importOptional, UsageError } from '../errors.ts'
import { readNaming, readOptionalTables, requireDatabaseUrl } from '../options.ts'
import type { Values } from '../options.ts'
import type { ExitCode, Terminal } from '../terminal.ts'

export async function migrateCommand(
  values: Values,
  terminal: Terminal,
  folder: string = process.cwd(),
): Promise<ExitCode> {
  const { url, yes: isConfirmed, 'dry-run': isDryRun, check: isCheck } = values
  const used = url ?? loadEnvironment(folder, process.env).env['DATABASE_URL']
  if (!used)
    throw new UsageError(
      'The database URL is missing. Set DATABASE_URL, or use --url postgres://user:password@localhost:5432/app',
    )
  requireDatabaseUrl(used)
  if (url === undefined) terminal.warn('Using DATABASE_URL.')
  const tables = { ...readNaming(values), with: readOptionalTables(values) }
  const { migrate } = await importOptional('kysely', () => import('./migrate.ts'))
  const isDone = await migrate({ url: used, isConfirmed, isDryRun, isCheck, ...tables }, terminal)
  return isDone ? 0 : 1
}
