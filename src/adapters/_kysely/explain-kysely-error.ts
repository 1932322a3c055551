import { characterSetAdvice } from '../_character-set.ts'
import { missingTableMessage } from '../_missing.ts'
import type { NamedTable } from '../_schema.ts'

export function explainKyselyError(error: unknown, named: NamedTable): unknown {
  const { name, columns } = named
  const advice = characterSetAdvice(error, named)
  if (advice !== null) return new Error(`The table "${name}": ${advice}`, { cause: error })
  const missing = missingTableMessage(error)
  if (missing === null) return error
  return new Error(
    `The table "${name}", or a table joined with it, is missing in the database or lacks one of the columns ${[...columns.values()].join(', ')} (${missing}). Run: npx lib-auth migrate --url <url of the database>. If the tables have other names, set them in the options of the adapter.`,
    { cause: error },
  )
}
