// The API reference of the site: one page for each subpath of the package, which TypeDoc writes from the source.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './run.mjs'
import { SITE } from './separate-installs.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FOLDER = join(SITE, '.api')
const { name: packageName, exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

/** Errors and providers have pages that a tool writes from the documents. */
const ELSEWHERE = new Map([['errors', 'errors']])

/** The name of each subpath, such as `adapters/kysely`, and its source file. */
function listEntries() {
  return Object.entries(exports).flatMap(([subpath, target]) => {
    const types = target?.types
    if (!types || subpath === './providers/*') return []
    // The declarations of some subpaths are those of another module, to which the build adds the rest.
    const own = target.default.replace('./dist/', 'src/').replace(/\.js$/, '.ts')
    const source = existsSync(join(ROOT, own))
      ? own
      : types.replace('./dist/', 'src/').replace(/\.d\.ts$/, '.ts')
    if (!subpath.includes('*')) return [{ name: subpath.slice(2) || 'index', source }]
    const folder = posix.dirname(source)
    return readdirSync(join(ROOT, folder))
      .filter((file) => /^[a-z][\w-]*\.ts$/.test(file) && file !== 'index.ts')
      .map((file) => ({
        name: subpath.slice(2).replace('*', file.slice(0, -'.ts'.length)),
        source: `${folder}/${file}`,
      }))
  })
}

const entries = listEntries()

/** The file that TypeDoc writes for a source file; `index` is the list of modules. */
const outputOf = (source) =>
  `${source.replace(/^src\/|\.ts$|\/index\.ts$/g, '')}.md`.replace(/^index\.md$/, 'index-1.md')

const routeOf = (name) => (name === 'index' ? 'api' : `api/${name}`)

const routes = new Map(
  entries.map(({ name, source }) => [outputOf(source), ELSEWHERE.get(name) ?? routeOf(name)]),
)

/** The anchors of a page, of its headings as GitHub builds them, and of the rows of its tables. */
function anchorsIn(markdown) {
  const anchors = new Set([...markdown.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
  const counts = new Map()
  for (const [, heading] of markdown.replace(/^```[^]*?^```$/gm, '').matchAll(/^#+ (.+)$/gm)) {
    const text = heading.replace(/\\(.)/g, '$1').toLowerCase()
    const slug = text.replace(/[^\p{Letter}\p{Number}_\- ]/gu, '').replaceAll(' ', '-')
    const count = counts.get(slug) ?? 0
    counts.set(slug, count + 1)
    anchors.add(count === 0 ? slug : `${slug}-${count}`)
  }
  return anchors
}

/** TypeDoc also counts what it does not print, so the number at the end of an anchor may be too high. */
function existingAnchor(anchor, anchors) {
  if (anchors.has(anchor)) return `#${anchor}`
  const [, start, number] = /^(.+)-(\d+)$/.exec(anchor) ?? []
  if (start === undefined) return ''
  return existingAnchor(number === '1' ? start : `${start}-${number - 1}`, anchors)
}

/** Pages as `{ route, file, markdown }`; without their content until {@link writeApi} has run. */
export function listApiPages() {
  const texts = new Map(
    entries.map(({ source }) => {
      const path = join(FOLDER, outputOf(source))
      return [outputOf(source), existsSync(path) ? readFileSync(path, 'utf8') : '# \n\n']
    }),
  )
  const anchors = new Map([...texts].map(([file, text]) => [file, anchorsIn(text)]))
  return entries
    .filter(({ name }) => !ELSEWHERE.has(name))
    .map(({ name, source }) => {
      const file = outputOf(source)
      const title = name === 'index' ? packageName : `${packageName}/${name}`
      const markdown = texts
        .get(file)
        .replace(/^# .*$/m, `# ${title}`)
        .replace(/\]\(([^)#:]*\.md)?(?:#([^)]*))?\)/g, (_all, link, anchor) => {
          const target = link ? posix.join(posix.dirname(file), link) : file
          const route = routes.get(target)
          const hash = anchor ? existingAnchor(anchor, anchors.get(target)) : ''
          // A section of the page of errors is a page of its own.
          return `](/${route}/${route.startsWith('api') ? hash : ''})`
        })
      return { route: routeOf(name), file: `api/${name}.md`, markdown }
    })
}

/** Runs TypeDoc. */
export async function writeApi() {
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  const options = join(FOLDER, 'typedoc.json')
  writeFileSync(
    options,
    JSON.stringify({
      plugin: ['typedoc-plugin-markdown'],
      entryPoints: entries.map(({ source }) => join(ROOT, source)),
      tsconfig: join(ROOT, 'tsconfig.json'),
      out: FOLDER,
      cleanOutputDir: false,
      router: 'module',
      entryFileName: 'index',
      readme: 'none',
      hidePageHeader: true,
      hideBreadcrumbs: true,
      disableSources: true,
      excludeExternals: true,
      excludePrivate: true,
      excludeInternal: true,
      parametersFormat: 'table',
      interfacePropertiesFormat: 'table',
      // Types come from the compiler of the repository, which has checked them.
      skipErrorChecking: true,
      logLevel: 'Error',
    }),
  )
  await run(process.execPath, ['node_modules/typedoc/bin/typedoc', '--options', options], {
    cwd: SITE,
  })
}
