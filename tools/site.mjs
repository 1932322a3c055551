// npm run site: serves the documentation on this machine, and follows changes of docs/.
// npm run site:build: builds it into site/dist; with --base /next/, the development version into site/dist/next. Both install site/ when it is missing; nothing else needs a network.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { freePort } from './ports.mjs'
import { run, start, untilCtrlC } from './run.mjs'
import { installFolder, isInstalled, SITE } from './separate-installs.mjs'
import { writeApi } from './site-api.mjs'
import { readExample, readFigures } from './site-figures.mjs'
import {
  frozenRoutes,
  manifest,
  readPages,
  redirects as allRedirects,
  sidebar,
  versions,
} from './site-pages.mjs'

const DOCS = fileURLToPath(new URL('../docs', import.meta.url))
const ENV = { ASTRO_TELEMETRY_DISABLED: '1' }

/** Writes a file if its text has changed: Astro renders pages again whose files are written. */
function write(folder, file, text) {
  const path = join(SITE, folder, file)
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** Pages that a language model reads one by one, if it needs them: the others have to fit into its context. */
const SEPARATE = new Set(['API', 'Providers', 'Verification'])
const RARELY_ASKED = new Set(
  ['cli', 'linking', 'migrate-imports', 'schema', 'specifications', 'stability', 'support'].map(
    (name) => `reference/${name}`,
  ),
)

/** Providers about whose set-up users ask most. */
const OFTEN_ASKED = new Set(
  ['apple', 'auth0', 'cognito', 'google', 'keycloak', 'microsoft-entra-id'].map(
    (id) => `providers/${id}`,
  ),
)

function isForModels({ kind, group, route }) {
  if (kind === 'explanation' || RARELY_ASKED.has(route)) return false
  return OFTEN_ASKED.has(route) || !SEPARATE.has(group)
}

const asMarkdown = ({ title, body }) => `# ${title}\n\n${body}`

/** Links to further pages, which a model that has all of them does not need; other items of these lists stay. */
function withoutNavigation(section) {
  if (!/^## (?:Next steps|Related(?: pages)?)\n/.test(section)) return section
  const kept = section.match(/^- (?!\[).+(?:\n {2}.+)*/gm) ?? []
  return kept.length > 0 ? `## Next steps\n\n${kept.join('\n')}\n` : ''
}

/** Code in a list, without the indentation of the list. */
const outdent = (block, indent) => block.replace(new RegExp(`^${indent}`, 'gm'), '')

/** A page of llms-full.txt, with its address: the model names the page from which an answer is. Links lead to pages, not to their headings. */
function forModels({ route, title, body }, base) {
  const text = body
    .replace(/^( +)```[^]*?^\1```$/gm, outdent)
    .replace(/\[([^\]]+)\]\(#[\w-]+\)/g, '$1')
    .replace(/(\]\(\/[^)#\s]*)#[\w-]+\)/g, '$1)')
  const sections = text.split(/^(?=## )/m).map(withoutNavigation)
  return `# ${title}\n\nPage: ${base}${route}/\n\n${sections.join('').trim()}\n`
}

/** One line for each page, by group: https://llmstxt.org */
function llmsIndex(pages, base) {
  const line = ({ title, route, description }) =>
    `- [${title}](${base}${route}.md)${description && `: ${description}`}`
  const groups = manifest.map(({ group }) => {
    const lines = pages.filter((page) => page.group === group).map(line)
    return `## ${group}\n\n${lines.join('\n')}\n`
  })
  const { description } = pages.find(({ route }) => route === 'start')
  return `# lib-auth\n\n> ${description}\n\n${groups.join('\n')}`
}

/** Providers that most visitors know. */
const KNOWN =
  'google github apple microsoft-entra-id facebook discord gitlab okta auth0 spotify twitch notion'

/** What the landing page shows. */
function landing(pages) {
  const providers = pages.filter(({ route }) => route.startsWith('providers/'))
  return {
    example: readExample(),
    figures: readFigures(),
    frameworks: pages
      .filter(({ title }) => title.startsWith('Quick start: '))
      .map(({ title, route }) => ({ route, name: title.replace('Quick start: ', '') })),
    providers: {
      total: providers.length,
      shown: providers
        .filter(({ route }) => KNOWN.split(' ').includes(basename(route)))
        .map(({ title, route }) => ({ route, name: title, icon: `images/${route}.svg` })),
    },
  }
}

/**
 * `base`: the path of a version. `url`: the public address of the site, for the sitemap and canonical links. `released`: the
 * routes of the last release; `undefined` if none has been frozen.
 *
 * @typedef {{ base?: string, url?: string, redirects?: Record<string, string>, released?: string[] }} SiteOptions
 */

/**
 * Writes what Astro reads: the pages with their front matter, the sidebar, and the files that are copied.
 *
 * @param {SiteOptions} options
 */
function writeContent({
  base = '/',
  url = '',
  redirects = allRedirects,
  released = frozenRoutes()[0]?.routes,
} = {}) {
  const current = versions.find((version) => version.base === base)
  if (!current) throw new Error(`site/versions.json has no version with the base ${base}.`)
  const pages = readPages(base)
  for (const page of pages) {
    const { route, title, description, body } = page
    const data = { title, description }
    const lines = Object.entries(data).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    write('.content', `${route}.md`, `---\n${lines.join('\n')}\n---\n\n${body}`)
    write('public', `${route}.md`, asMarkdown(page))
  }
  const full = pages.filter(isForModels)
  write('public', 'llms.txt', llmsIndex(pages, base))
  write('public', 'llms-full.txt', full.map((page) => forModels(page, base)).join('\n'))
  write('.content', 'sidebar.json', JSON.stringify(sidebar(pages)))
  write('.content', 'landing.json', JSON.stringify(landing(pages)))
  const unreleased = pages
    .map(({ route }) => route)
    .filter((route) => released && !released.includes(route))
  write('.content', 'version.json', JSON.stringify({ ...current, url, unreleased, redirects }))
  cpSync(join(DOCS, 'images'), join(SITE, 'public/images'), { recursive: true })
  cpSync(join(SITE, 'src/favicon.svg'), join(SITE, 'public/favicon.svg'))
}

/** Everything that Astro needs. */
async function prepare(options) {
  if (!isInstalled(SITE)) await installFolder(SITE)
  await writeApi()
  for (const folder of ['.content', 'public'])
    rmSync(join(SITE, folder), { recursive: true, force: true })
  writeContent(options)
}

/**
 * Builds the site.
 *
 * @param {SiteOptions} options
 */
export async function buildSite({ url = process.env.SITE_URL, ...options } = {}) {
  await prepare({ url, ...options })
  await run(process.execPath, ['node_modules/astro/astro.js', 'build', '--silent'], {
    cwd: SITE,
    // Vitest sets NODE_ENV, and DEV and BASE_URL, which Astro would read as well.
    env: { ...ENV, NODE_ENV: 'production', DEV: undefined, BASE_URL: undefined },
  })
}

async function serve() {
  await prepare()
  const watcher = watch(DOCS, { recursive: true }, () => {
    try {
      writeContent()
    } catch (error) {
      console.error(error.message)
    }
  })
  const port = String(await freePort(4321))
  const command = ['node_modules/astro/astro.js', 'dev', '--host', '127.0.0.1', '--port', port]
  const server = start(process.execPath, command, { cwd: SITE, env: ENV })
  console.log(`http://127.0.0.1:${port}; search is part of the build only. Ctrl+C ends it.`)
  await untilCtrlC({
    ended: server.gone,
    output: server.output,
    async stop() {
      watcher.close()
      await server.stop()
    },
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { build, base } = parseArgs({
    options: { build: { type: 'boolean' }, base: { type: 'string' } },
  }).values
  await (build ? buildSite({ base }) : serve())
}
