/** Replaces the names of modules in a file of code. */
import { findLeftovers } from './leftovers.ts'
import { PRIVATE_STATE, takesPrivateState } from './private-state.ts'
import { findSpecifiers } from './specifiers.ts'
import { targetOf } from './targets.ts'

/** One name that was replaced. */
export interface Change {
  readonly line: number
  readonly from: string
  readonly to: string
}

/** Something that somebody has to look at. */
export interface Note {
  readonly line: number
  readonly what: string
}

/** A file after it. */
export interface Rewritten {
  readonly text: string
  readonly changes: readonly Change[]
  readonly notes: readonly Note[]
}

/** Tells the number of the line of a place; places are asked for in any order. */
function lineCounter(text: string): (at: number) => number {
  const starts = [...text.matchAll(/\r\n|[\n\r]/g)].map(({ index }) => index)
  return (at) => starts.filter((start) => start < at).length + 1
}

/** The code with the names of our modules in it. */
export function rewrite(file: string, source: string, providers: ReadonlySet<string>): Rewritten {
  const findings = findSpecifiers(file, source)
  const lineOf = lineCounter(source)
  const changes: (Change & { readonly start: number; readonly end: number })[] = []
  const notes: Note[] = []
  for (const specifier of findings.specifiers) {
    const { start, end, name } = specifier
    const line = lineOf(start)
    if (takesPrivateState(findings, specifier)) {
      notes.push({ line, what: PRIVATE_STATE })
      continue
    }
    const target = targetOf(name, providers)
    if (target?.kind === 'renamed') changes.push({ line, from: name, to: target.name, start, end })
    if (target?.kind === 'left') notes.push({ line, what: `${name} ${target.why}` })
  }
  for (const { at, what } of findLeftovers(findings)) notes.push({ line: lineOf(at), what })
  let text = source
  for (const { start, end, to } of changes.sort((a, b) => b.start - a.start))
    text = text.slice(0, start) + to + text.slice(end)
  const byLine = (a: { line: number }, b: { line: number }): number => a.line - b.line
  return { text, changes: changes.sort(byLine), notes: notes.sort(byLine) }
}
