/** Finds what is code in a source file: not comments, the text of pages, or the content of strings. */
import { findBlanks } from './code-scanner.ts'
import type { Blank } from './code-scanner.ts'

/** A string, or a part of a template without substitutions. */
export interface StringToken {
  /** Position of its first character, after the quote. */
  readonly start: number
  readonly value: string
}

/** Two copies of a source, of the same length, in which spaces replace what is not code. */
export interface CodeView {
  /** Without comments, text of pages, and contents of strings and regular expressions. */
  readonly code: string
  /** Without comments and text of pages. */
  readonly withStrings: string
  readonly strings: readonly StringToken[]
}

/** The parts of a component file that are scripts. */
const SCRIPTS = /^(?:\ufeff?\s*)---\r?\n([\s\S]*?)\r?\n---|<script\b[^>]*>([\s\S]*?)<\/script>/gi

/** Replaces all characters but line breaks. */
function spaces(text: string): string {
  return text.replace(/[^\n\r]/g, ' ')
}

function keepScripts(source: string): string {
  let scripts = ''
  for (const { 0: all, 1: front, 2: script = front ?? '', index } of source.matchAll(SCRIPTS)) {
    const start = index + all.lastIndexOf(script)
    scripts += spaces(source.slice(scripts.length, start)) + script
  }
  return scripts + spaces(source.slice(scripts.length))
}

function without(source: string, blanks: readonly Blank[]): string {
  let text = ''
  for (const { start, end } of blanks)
    if (start >= text.length)
      text += source.slice(text.length, start) + spaces(source.slice(start, end))
  return text + source.slice(text.length)
}

/** @param file - name of the file, whose extension shows whether it can contain elements */
export function viewCode(source: string, file: string): CodeView {
  const text = /\.(?:svelte|vue|astro)$/.test(file) ? keepScripts(source) : source
  const all = findBlanks(text, !/\.(?:[cm]?ts|svelte|vue|astro)$/.test(file))
  const blanks = [...all].sort((a, b) => a.start - b.start || b.end - a.end)
  return {
    code: without(text, blanks),
    withStrings: without(
      text,
      blanks.filter(({ kind }) => kind !== 'string'),
    ),
    strings: blanks
      .filter(({ kind }) => kind === 'string')
      .map(({ start, end }) => ({ start, value: text.slice(start, end) })),
  }
}

/** A place in a file at which the user has to change something. */
export interface ManualStep {
  readonly at: number
  readonly what: string
}

/** Describes each match of a pattern by its groups. */
export function find(
  source: string,
  pattern: RegExp,
  describe: (first: string, second: string) => string | undefined,
): ManualStep[] {
  return [...source.matchAll(pattern)].flatMap(({ index: at, 1: first = '', 2: second = '' }) => {
    const what = describe(first, second)
    return what ? [{ at, what }] : []
  })
}

/** Describes each string that fulfils a condition. */
export function findStrings(
  { strings }: CodeView,
  condition: (token: StringToken) => boolean,
  describe: (value: string) => string,
): ManualStep[] {
  return strings
    .filter(condition)
    .map(({ start, value }) => ({ at: start - 1, what: describe(value) }))
}
