/** This release works on the database of each earlier one, without a migration. */
import { readdirSync } from 'node:fs'
import { IN_PROCESS } from './databases.ts'
import { testTables } from './rows-suite.ts'

for (const version of readdirSync(new URL('./', import.meta.url)))
  if (/^\d/.test(version)) for (const dialect of IN_PROCESS) testTables(version, dialect)
