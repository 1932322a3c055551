/** This release works on the database of each earlier one, without a migration. */
import { IN_PROCESS } from './databases.ts'
import { frozenVersions } from './frozen.ts'
import { testTables } from './rows-suite.ts'

for (const version of frozenVersions())
  for (const dialect of IN_PROCESS) testTables(version, dialect)
