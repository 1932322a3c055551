/** `lib-auth explain` prints what an error means, without a network. */
import { readFileSync } from 'node:fs'
import { suggestion, UsageError } from './errors.ts'
import { printedPage } from './print-page.ts'
import type { ExitCode, Terminal } from './terminal.ts'

const PAGE = 'errors.md'

/** The sections of the page of errors, by type. */
function readSections(): ReadonlyMap<string, string> {
  const page = readFileSync(new URL(`../../docs/${PAGE}`, import.meta.url), 'utf8')
  const sections = page.split(/^(?=## )/m).slice(1)
  return new Map(sections.map((section) => [/\w+/.exec(section)?.[0] ?? '', section]))
}

/** The type as it is written, in any case and with what the log prints around it: `[auth][error] UntrustedHost:`. */
function findType(typed: string, types: readonly string[]): string {
  const words = typed.toLowerCase().split(/\W+/)
  const found = types.find((type) => words.includes(type.toLowerCase()))
  if (found !== undefined) return found
  throw new UsageError(
    `lib-auth has no error "${typed}".${suggestion(typed, types)}\nAll errors: npx lib-auth explain`,
  )
}

/** Without a type, lists all. */
export function explain(typed: string | undefined, terminal: Terminal): ExitCode {
  const sections = readSections()
  const types = [...sections.keys()]
  const lines =
    typed === undefined ? types : printedPage(sections.get(findType(typed, types)) ?? '', PAGE)
  for (const line of lines) terminal.print(line)
  return 0
}
