// The pages of the documentation site, from docs/pages.json and the Markdown of docs/.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { basename, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isAfter } from './release-files.mjs'
import { listApiPages } from './site-api.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const DOCS = join(ROOT, 'docs')

const readJson = (file) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'))
const { version, repository } = readJson('package.json')

/**
 * The versions of the site: `base` is the path of each, `/` that of the latest release. Others have a notice, and `ref`, the
 * branch or tag that they describe.
 *
 * @type {{ name: string, base: string, ref?: string, notice?: string }[]}
 */
export const versions = readJson('site/versions.json')

/** Where files that are not on the site can be read, in the version that the site describes. */
function sourceOf(base) {
  const { ref = `v${version}` } = versions.find((each) => each.base === base)
  return `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/${ref}`
}

/**
 * Former routes, and those that replace them.
 *
 * @type {Record<string, string>}
 */
export const redirects = readJson('docs/redirects.json')

/**
 * The routes of each release, as `npm run freeze` has written them, the last release first.
 *
 * @returns {{ version: string, routes: string[] }[]}
 */
export function frozenRoutes() {
  return readdirSync(join(ROOT, 'test/upgrade'))
    .filter((name) => /^\d+\.\d+\.\d+$/.test(name))
    .map((name) => ({ version: name, file: `test/upgrade/${name}/routes.json` }))
    .filter(({ file }) => existsSync(join(ROOT, file)))
    .sort((one, other) => (isAfter(one.version, other.version) ? -1 : 1))
    .map(({ version: released, file }) => ({ version: released, routes: readJson(file) }))
}

/** The list of all documents in the repository; on the site it is the sidebar. */
const CONTENTS = 'README.md'

/** Files of the root that are pages, too. */
const OF_ROOT = ['../STABILITY.md']

/** Every Markdown file of the site, by its path from docs/. */
export function listDocuments() {
  return readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.md') && file !== CONTENTS)
    .concat(OF_ROOT)
    .sort()
}

/**
 * The groups of docs/pages.json, as they are written there. `since` is the section of CHANGELOG.md of the first release that
 * has the page; without it, {@link FIRST_RELEASE}.
 *
 * @type {{ group: string, kind: string, pages: { route: string, file: string, tests: string[], notRun?: string, since?: string }[] }[]}
 */
export const manifest = readJson('docs/pages.json')

export const FIRST_RELEASE = '0.1.0'

/** What readers of a page see that the first release did not have. */
export function sinceText(since = FIRST_RELEASE) {
  if (since === FIRST_RELEASE) return ''
  return since === 'Unreleased' ? '*Not released yet.*\n\n' : `*Since lib-auth ${since}.*\n\n`
}

/** Splits Markdown into text and fenced code; the code has odd indexes. */
const splitCode = (markdown) => markdown.split(/(^ *```[^]*?^ *```$)/m)

/** Applies a function to the text of a document, and leaves its code as it is. */
const mapText = (markdown, change) =>
  splitCode(markdown)
    .map((part, at) => (at % 2 === 1 ? part : change(part)))
    .join('')

/** The sections of docs/errors.md by type; a type is a heading of level 2. */
function splitErrors(markdown) {
  const [start, ...sections] = markdown.split(/^(?=## )/m)
  return { start, sections: new Map(sections.map((each) => [/^## (\w+)/.exec(each)[1], each])) }
}

/** The last line of a section: status, page, and what clients receive. */
function errorRow([type, section]) {
  const [, status, page, exposed] =
    /^Status (.+) · page (.+) · shown to the browser as (.+)$/m.exec(section)
  return `| [\`${type}\`](#${type.toLowerCase()}) | ${status} | ${page} | \`${exposed}\` |`
}

function errorIndex({ start, sections }) {
  const head = ['| Error | Status | Page | Shown to the browser as |', '| --- | --- | --- | --- |']
  return `${start.trim()}\n\n## All errors\n\n${[...head, ...[...sections].map(errorRow)].join('\n')}\n`
}

/** Resolves an entry of the manifest to `{ route, source, markdown }`; `*` stands for many pages. */
function expand({ route, file }) {
  if (route === 'api/*') return listApiPages()
  if (file === 'errors.md') {
    const errors = splitErrors(readFileSync(join(DOCS, file), 'utf8'))
    if (route === 'errors') return [{ route, file, markdown: errorIndex(errors) }]
    return [...errors.sections].map(([type, section]) => ({
      route: route.replace('*', type.toLowerCase()),
      file,
      markdown: section.replace(/^## /, '# ').replace(/^##(#+ )/gm, '#$1'),
    }))
  }
  const names = listDocuments().filter(
    (name) => posix.dirname(name) === posix.dirname(file) && basename(name) !== CONTENTS,
  )
  const files = file.includes('*') ? names : [file]
  return files.map((name) => ({
    route: route.replace('*', basename(name, '.md')),
    file: name,
    markdown: readFileSync(join(DOCS, name), 'utf8'),
  }))
}

/** Markdown as plain text, for descriptions. */
export const plain = (markdown) =>
  markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<(https?:[^>]+)>/g, '$1')
    .replace(/[`*]|\b_|_\b/g, '')
    .replace(/\s+/g, ' ')
    .trim()

/** The first sentences of a page, as many as fit into a result of a search engine. */
function describe(body) {
  const paragraph = body.split(/\n{2,}/).find((part) => /^[\p{L}`[]/u.test(part)) ?? ''
  const [first = '', ...others] = plain(paragraph).split(/(?<=\.)\s/)
  let text = first
  for (const next of others) {
    if (text.length + next.length > 160) break
    text += ` ${next}`
  }
  return text.replace(/:$/, '.')
}

function parse({ route, file, markdown }, { group, kind, tests, since }) {
  const text = markdown.replace(/^<!--[^]*?-->\n*/gm, '')
  const [head, title] = /^# (.+)\n+/.exec(text) ?? []
  if (!title) throw new Error(`docs/${file} does not begin with a heading.`)
  const body = text.slice(head.length)
  return { route, file, group, kind, tests, since, title: plain(title), body }
}

/** The address of a link that a document contains, on the site. */
function resolveLink(link, { file, routes, errors, source }) {
  if (/^(?:https?:|mailto:|\/)/.test(link)) return link
  const [path, anchor] = link.split('#')
  const target = path === '' ? file : posix.normalize(posix.join(posix.dirname(file), path))
  if (target === 'errors.md' && errors.has(anchor)) return `/errors/${anchor}/`
  const hash = anchor ? `#${anchor}` : ''
  if (target === CONTENTS) return `/start/${hash}`
  if (routes.has(target))
    return path === '' && target !== 'errors.md' ? hash : `/${routes.get(target)}/${hash}`
  if (!existsSync(join(DOCS, target)))
    throw new Error(`docs/${file} links to ${link}, which does not exist.`)
  return target.startsWith('images/')
    ? `/${target}`
    : `${source}/${posix.normalize(`docs/${target}`)}${hash}`
}

/**
 * Every page of the site in the order of the manifest, with links that lead to pages of the site below its base path.
 *
 * @returns {{ route: string, file: string, group: string, kind: string, tests: string[], title: string, description: string, body: string }[]}
 */
export function readPages(base = '/') {
  const pages = manifest.flatMap(({ group, kind, pages: entries }) =>
    entries.flatMap(({ tests, since, ...entry }) =>
      expand(entry).map((page) => parse(page, { group, kind, tests, since })),
    ),
  )
  const routes = new Map(pages.toReversed().map(({ file, route }) => [file, route]))
  routes.set('errors.md', 'errors')
  const errors = new Set(
    pages.filter(({ route }) => route.startsWith('errors/')).map(({ route }) => route.slice(7)),
  )
  const source = sourceOf(base)
  return pages.map((page) => {
    const link = (target) =>
      resolveLink(target, { file: page.file, routes, errors, source }).replace(/^\//, base)
    const body = mapText(page.body, (text) =>
      text
        .replace(/\]\(([^)\s]+)\)/g, (_all, target) => `](${link(target)})`)
        .replace(/\b(src|srcset)="([^"]+)"/g, (_all, name, target) => `${name}="${link(target)}"`),
    )
    return Object.assign(page, {
      description: describe(page.body),
      body: sinceText(page.since) + body,
    })
  })
}

/** The groups of the sidebar. A group with an overview, such as that of providers, does not list what `*` stands for. */
export function sidebar(pages) {
  return manifest.map(({ group, pages: entries }) => {
    const named = new Set(entries.map(({ route }) => route).filter((route) => !route.includes('*')))
    const routes = pages.filter((page) => page.group === group).map(({ route }) => route)
    return {
      label: group,
      collapsed: group !== 'Tutorials',
      items: named.size > 0 ? routes.filter((route) => named.has(route)) : routes,
    }
  })
}
