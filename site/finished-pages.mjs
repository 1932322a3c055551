// An Astro integration that changes the built pages: each gets a content security policy that allows its own inline scripts
// and styles only, and the keyboard reaches what scrolls.
import { createHash } from 'node:crypto'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const STYLES = 'inline-styles.css'
const PREFIX = 'st-'

/** How the highlighter of code selects what has a `style` attribute. */
const COLOURED = "[style^='--']:not([class])"

/** A script as a whole, or the start of a tag with its attributes. */
const SCRIPT_OR_TAG =
  /<script\b[^>]*>[^]*?<\/script>|<([a-z][\w-]*)((?:\s+[^\s=>"'/]+(?:="[^"]*")?)*)\s*\/?>/g

const hash = (text, encoding) => createHash('sha256').update(text).digest(encoding)

/** A class in place of a `style` attribute, which a policy without `unsafe-inline` does not allow. */
function moveStyle(tag, name, { attributes, styles }) {
  const [attribute, style] = / style="([^"]*)"/.exec(attributes) ?? []
  if (attribute === undefined) return tag
  const className = `${PREFIX}${hash(style, 'hex').slice(0, 8)}`
  styles.set(className, style.replaceAll(/&(?:quot|#34);/g, '"').replaceAll(/&(?:amp|#38);/g, '&'))
  const rest = tag.replace(attribute, '')
  return / class="/.test(attributes)
    ? rest.replace(' class="', ` class="${className} `)
    : rest.replace(`<${name}`, `<${name} class="${className}"`)
}

/** Wide tables and code scroll, so the keyboard has to reach them. */
const makeFocusable = (tag, name) =>
  (name === 'table' || name === 'pre') && !/ tabindex=/.test(tag)
    ? tag.replace(`<${name}`, `<${name} tabindex="0"`)
    : tag

/** A column without a heading has an empty cell there; a table whose columns have none has no row of headings. */
const withoutEmptyHeadings = (html) =>
  html
    .replaceAll('<th></th>', '<td></td>')
    .replaceAll(/<thead>\s*<tr>(?:\s*<td><\/td>)+\s*<\/tr>\s*<\/thead>/g, '')

const changeTags = (html, styles) =>
  withoutEmptyHeadings(html).replace(SCRIPT_OR_TAG, (tag, name, attributes = '') =>
    name ? makeFocusable(moveStyle(tag, name, { attributes, styles }), name) : tag,
  )

/** The hashes of inline elements, for a directive. */
function hashesOf(html, element) {
  const inline = new RegExp(`<${element}(?![^>]* src=)[^>]*>([^]*?)</${element}>`, 'g')
  const found = [...html.matchAll(inline)].map(([, text]) => `'sha256-${hash(text, 'base64')}'`)
  return [...new Set(found)].sort().join(' ')
}

/** Pages that a search finds after the guides, unless it names them: they contain the words of every guide. */
const WEIGHTS = [
  [/^(?:api|decisions)\//, 0.3],
  [/^providers\/.+\//, 0.5],
]

function withWeight(html, file) {
  const [, weight] = WEIGHTS.find(([pages]) => pages.test(file)) ?? []
  return weight
    ? html.replace(' data-pagefind-body', ` data-pagefind-body data-pagefind-weight="${weight}"`)
    : html
}

function addPolicy(html) {
  const policy = [
    "default-src 'self'",
    // The search compiles WebAssembly.
    `script-src 'self' 'wasm-unsafe-eval' ${hashesOf(html, 'script')}`,
    `style-src 'self' ${hashesOf(html, 'style')}`,
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`
  // A redirect has no more than a title, a refresh and a link.
  return html.replace(
    /<meta charset="utf-8"\s*\/?>|^<!doctype html>(?=<title>)/i,
    (start) => start + meta,
  )
}

export function finishedPages(base) {
  return {
    name: 'finished-pages',
    hooks: {
      'astro:build:done': ({ dir }) => {
        const root = fileURLToPath(dir)
        const all = readdirSync(root, { recursive: true })
        const styles = new Map()
        for (const file of all.filter((name) => name.endsWith('.html'))) {
          const html = changeTags(readFileSync(join(root, file), 'utf8'), styles)
          const link = `<link rel="stylesheet" href="${base}${STYLES}">`
          const finished = addPolicy(html.replace('</head>', `${link}</head>`))
          writeFileSync(join(root, file), withWeight(finished, file))
        }
        for (const file of all.filter((name) => name.endsWith('.css'))) {
          const css = readFileSync(join(root, file), 'utf8')
          writeFileSync(join(root, file), css.replaceAll(COLOURED, `[class^='${PREFIX}']`))
        }
        const rules = [...styles].map(([name, style]) => `.${name}{${style}}`)
        writeFileSync(join(root, STYLES), rules.sort().join('\n'))
      },
    },
  }
}
