/** Finds the code blocks of the documentation. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One block of code in the documentation. */
export interface Block {
  /** Its file, from the root of the repository. */
  readonly source: string
  /** Number of its first line there. */
  readonly line: number
  readonly code: string
  readonly language: string
  /** The file that the document names for it; other blocks of the document may import it. */
  readonly file: string | undefined
}

/** One block of TypeScript in the documentation. */
export interface Snippet extends Block {
  readonly extension: 'ts' | 'tsx'
}

const FENCE = /^(?<indent>\s*(?:\* ?)?)```(?<language>\w+)\s*$/

/** File names by language. */
const FILES: Readonly<Record<string, RegExp>> = {
  ts: /[\w./$[\]-]+\.tsx?/,
  tsx: /[\w./$[\]-]+\.tsx?/,
  js: /[\w./+[\]-]+\.(?:m?js|ts)/,
  ini: /\.env[.\w]*/,
  json: /tsconfig\.json/,
  html: /[\w./-]+\.html/,
  astro: /[\w./[\]-]+\.astro/,
  vue: /[\w./[\]-]+\.vue/,
  svelte: /[\w./+[\]-]+\.svelte/,
}

/** The file name of a block, from its first line or from the paragraph before it. */
function fileOf(code: string, language: string, before: readonly string[]): string | undefined {
  const name = FILES[language]
  if (!name) return undefined
  const comment = new RegExp(`^// (${name.source})`).exec(code)?.[1]
  if (comment) return comment
  const paragraph = before.slice(
    before.findLastIndex((line, at) => !line.trim() && at < before.length - 1) + 1,
  )
  return [...paragraph.join(' ').matchAll(new RegExp(`\`(${name.source})\``, 'g'))].at(-1)?.[1]
}

/** The blocks of a document, or of the comments of a source file. */
export function findBlocks(source: string, text: string): Block[] {
  const lines = text.split('\n')
  const blocks: Block[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const { indent, language } = FENCE.exec(lines[at] ?? '')?.groups ?? {}
    if (indent === undefined || language === undefined) continue
    const begin = at + 1
    const end = lines.indexOf(`${indent}\`\`\``, begin)
    if (end === -1) throw new Error(`${source}:${at + 1}: the block does not end.`)
    const body = lines.slice(begin, end).map((line) => line.slice(indent.length))
    const code = body.join('\n')
    const before = lines.slice(0, at)
    while (before.at(-1)?.trim() === '') before.pop()
    const file = source.endsWith('.md') ? fileOf(code, language, before) : undefined
    blocks.push({ source, line: begin + 1, code, language, file })
    at = end
  }
  return blocks
}

function snippetsOf(block: Block): Snippet[] {
  const { language } = block
  return language === 'ts' || language === 'tsx' ? [{ ...block, extension: language }] : []
}

function filesIn(root: string, folder: string, pattern: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => pattern.test(file))
    .sort()
}

/** Every block of TypeScript in the comments of the source, the README and the documentation. */
export function findSnippets(root: string): Snippet[] {
  const sources = [
    ...filesIn(root, 'src', /\.tsx?$/),
    'README.md',
    ...filesIn(root, 'docs', /\.md$/),
  ]
  return sources
    .flatMap((source) => findBlocks(source, readFileSync(join(root, source), 'utf8')))
    .flatMap(snippetsOf)
}
