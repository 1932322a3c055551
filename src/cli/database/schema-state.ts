/** For which release a database is complete: found in its tables, because no table stores a version. */
import { OPTIONAL_TABLES, SCHEMA, TABLES } from '../../adapters/_schema.ts'
import type { TableId } from '../../adapters/_schema.ts'
import { byVersion, ownVersion } from '../own-version.ts'
import { wantedTables, writer } from './create-tables.ts'
import type { TableOptions } from './create-tables.ts'
import type { Plan } from './plan.ts'

/** The release whose tables and columns have no `since`. */
const FIRST = ''
const nameRelease = (release: string) => (release === FIRST ? 'next-auth 5' : `lib-auth ${release}`)

/** The releases that added tables or columns, the newest first. */
const RELEASES = [
  ...new Set(
    Object.values(SCHEMA)
      .flatMap((table) => [table, Object.values(table.columns)].flat())
      .map(({ since = FIRST }) => since),
  ),
].toSorted((one, other) => byVersion(other, one))

/** The releases that added what the table lacks. */
function lacking(id: TableId, { tables }: Plan, options: TableOptions): readonly string[] {
  const { name, columns } = writer(options).nameTable(id)
  const found = tables.find((table) => table.name === name)
  if (!found) return TABLES.some((each) => each === id) ? [SCHEMA[id].since ?? FIRST] : []
  const existing = new Set(found.columns.map((column) => column.name))
  return Object.entries(SCHEMA[id].columns).flatMap(([field, { since = FIRST }]) =>
    existing.has(columns.get(field) ?? field) ? [] : [since],
  )
}

/** What the optional tables are that exist neither in the options nor in the database. */
function unused({ tables }: Plan, options: TableOptions): string {
  const wanted = wantedTables(options)
  const names = OPTIONAL_TABLES.filter((id) => !wanted.includes(id))
    .map((id) => writer(options).nameTable(id).name)
    .filter((name) => !tables.some((table) => table.name === name))
  if (names.length === 0) return ''
  const are = names.length === 1 ? `table ${names[0]} is` : `tables ${names.join(', ')} are`
  return `; ${are} missing and not used`
}

export const countOf = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`

/** @param place - what has the options: a command or a configuration */
export function describeState(plan: Plan, options: TableOptions, place: string): string {
  const { steps, obstacles, incomplete } = plan
  const current = ownVersion().split('.', 2).join('.')
  if (steps.length === 0 && obstacles.length === 0)
    return `complete for ${nameRelease(current)}${unused(plan, options)}`
  const lacks = wantedTables(options).flatMap((id) => lacking(id, plan, options))
  const found = RELEASES.filter((release) => lacks.every((each) => byVersion(release, each) < 0))
  // The newest one may also lack indexes, or have columns of another type.
  const isCurrent = !TABLES.some((id) => incomplete.includes(id))
  const [release] = isCurrent ? found : found.filter((each) => each !== RELEASES[0])
  const state = release === undefined ? 'incomplete' : `complete for ${nameRelease(release)}`
  const needs = [
    steps.length > 0 ? `${countOf(steps.length, 'statement')}, additive` : [],
    obstacles.length > 0 ? `${countOf(obstacles.length, 'change')} that you make yourself` : [],
  ].flat()
  return `${state}; ${nameRelease(current)} with the options of this ${place} needs ${needs.join(', and ')}`
}
