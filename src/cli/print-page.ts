/** Prints a page of the documentation on a terminal. */
import { styleText } from 'node:util'

const WIDTH = 90
/** The folder of the pages, from that of the application. */
const FOLDER = 'file:/node_modules/lib-auth/docs/'
/** A heading, a fence, a table row, or the first line of a list item. */
const BLOCK = /^(?:#{1,6} |```|\||(?:-|\d+\.) )/

/** A label and its target: a URL, or a file in the folder of the application. One in the same page has no target. */
function printLink(label: string, target: string, page: string): string {
  if (target.startsWith('#')) return label
  const { protocol, href, pathname } = new URL(target, FOLDER + page)
  return `${label} (${protocol === 'file:' ? pathname.slice(1) : href})`
}

/** Removes the marks of Markdown; targets of links stay. */
function plain(text: string, page: string): string {
  return text
    .replace(/\[([^\]]*)\]\(([^)\s]+)\)/g, (_, label, target) => printLink(label, target, page))
    .replace(/<(https?:[^>\s]+)>/g, '$1')
    .replace(/(?<![\w`])_([^_`]+)_(?![\w`])/g, '$1')
    .replace(/\*\*([^*]+)\*\*/g, '$1')
    .replaceAll('`', '')
    .replaceAll(String.raw`\|`, '|')
}

/** Breaks a paragraph into lines; those after the first are indented as far as its text. */
function wrap(text: string): string[] {
  const [mark = ''] = /^(?:- |\d+\. )?/.exec(text) ?? []
  const fitting = new RegExp(String.raw`\S.{0,${WIDTH - mark.length - 1}}(?= |$)|\S+|^$`, 'g')
  const lines = text.slice(mark.length).match(fitting) ?? []
  return lines.map((line, index) => (index === 0 ? mark : ' '.repeat(mark.length)) + line)
}

/** The rows of a table as aligned columns, without its head. */
function columns(rows: readonly string[], page: string): string[] {
  const cells = rows.slice(2).map((row) =>
    row
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => plain(cell.trim(), page)),
  )
  const width = Math.max(...cells.map(([first = '']) => first.length))
  return cells.map(([first = '', ...others]) => `  ${first.padEnd(width)}  ${others.join('  ')}`)
}

/** Splits a page into code blocks, tables, headings, list items and paragraphs. */
function splitBlocks(page: string): string[][] {
  const blocks: string[][] = []
  for (const line of page.split('\n')) {
    const [begin = ''] = blocks.at(-1) ?? []
    const isCode = begin.startsWith('```') && blocks.at(-1)?.indexOf('```', 1) === -1
    const isRow = begin.startsWith('|') && line.startsWith('|')
    const isText = begin !== '' && line !== '' && !/^(?:#|```|\|)/.test(begin) && !BLOCK.test(line)
    if (isCode || isRow || isText) blocks.at(-1)?.push(line)
    else blocks.push([line])
  }
  return blocks
}

function formatBlock(block: readonly string[], page: string): string[] {
  const [begin = ''] = block
  if (begin.startsWith('```')) return block.slice(1, -1).map((line) => `  ${line}`.trimEnd())
  if (begin.startsWith('|')) return columns(block, page)
  if (begin.startsWith('#')) return [styleText('bold', plain(begin.replace(/^#+ /, ''), page))]
  const paragraph = block.map((line) => line.replace(/^> ?/, '').trim()).join(' ')
  return wrap(plain(paragraph, page))
}

/** The lines of a text in Markdown as a terminal shows them. `page`: its file in `docs`, which its links start from. */
export function printedPage(markdown: string, page: string): readonly string[] {
  const text = markdown.replace(/<!--[^]*?-->\n*/g, '').trim()
  return splitBlocks(text).flatMap((block) => formatBlock(block, page))
}
