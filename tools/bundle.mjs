import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown, watch } from 'rolldown'
import { pageScript } from './page-script.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SRC = `${ROOT}src/`

/** Programs that run in a process or thread of their own. */
const PROGRAMS = ['cli/index', 'cli/doctor/examine', 'cli/doctor/hooks']

/** Files of shared modules. The module of each loads that file and the ones before it. */
const SHARED = {
  errors: 'core/errors/classes',
  table: 'errors',
  tokens: 'jwt',
  revoked: 'core/config/revoked-tokens',
  revocations: 'core/session/revocations',
  core: 'frameworks/next/index',
  routes: 'index',
}

/** The source file of a path without extension. */
function sourceFile(path) {
  return [`${SRC}${path}.ts`, `${SRC}${path}.tsx`].find((file) => existsSync(file))
}

/** The source files that `exports` publishes, by path without extension. */
export function publishedFiles() {
  const { exports } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'))
  const paths = Object.values(exports).flatMap((target) => {
    const path = target?.default?.replace(/^\.\/dist\/|\.js$/g, '') ?? ''
    if (!path.endsWith('*')) return path === '' ? [] : [path]
    const folder = path.slice(0, -1)
    const files = readdirSync(SRC + folder).filter((file) => /^[^_].*\.tsx?$/.test(file))
    return files.map((file) => folder + file.replace(/\.tsx?$/, ''))
  })
  return Object.fromEntries(paths.map((path) => [path, sourceFile(path)]))
}

const input = {
  ...publishedFiles(),
  ...Object.fromEntries(PROGRAMS.map((path) => [path, sourceFile(path)])),
}

/** The modules that are loaded with an entry point. */
function loadedWith(entry, graph) {
  const modules = new Set([sourceFile(entry)])
  for (const id of modules)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) modules.add(imported)
  return modules
}

/** The file of a module without extension; `null` if only its importers determine it. */
function chooseFile(id, graph) {
  if (!id.startsWith(SRC) || Object.values(input).includes(id)) return null
  // The command line finds its programs by their path relative to a module.
  if (id.startsWith(`${SRC}cli/`)) return relative(SRC, id).replace(/\.ts$/, '')
  const isLoadedWith = (entry) => loadedWith(entry, graph).has(id)
  const isInBrowser = ['client', 'react', 'webauthn'].some((name) =>
    isLoadedWith(`browser/${name}/index`),
  )
  if (!isLoadedWith('index')) return null
  if (isInBrowser) return 'chunks/urls'
  const [name] = Object.entries(SHARED).find(([, entry]) => isLoadedWith(entry)) ?? []
  return `chunks/${name}`
}

const options = {
  cwd: ROOT,
  input,
  plugins: [pageScript()],
  platform: 'node',
  external: /^[^./]/,
  transform: { target: 'es2022' },
  preserveEntrySignatures: 'allow-extension',
  // Only the directive of react/index is needed, and it is kept.
  checks: { moduleLevelDirective: false },
  output: {
    dir: `${ROOT}dist`,
    entryFileNames: '[name].js',
    chunkFileNames({ name, facadeModuleId }) {
      const path = facadeModuleId ? relative(SRC, facadeModuleId).replace(/\.tsx?$/, '') : name
      return path.includes('/') ? `${path}.js` : `chunks/${path}.js`
    },
    minifyInternalExports: false,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: chooseFile, debugName: 'shared' }],
    },
  },
}

/** Writes the JavaScript of src/ to dist/: modules that are always loaded together in one file. */
export async function bundle() {
  const build = await rolldown(options)
  await build.write(options.output)
  await build.close()
}

/** Does so now and after each change. */
export function watchBundle() {
  watch(options).on('event', async (event) => {
    if (event.code === 'ERROR') console.error(String(event.error))
    if (event.code === 'BUNDLE_END' || event.code === 'ERROR') await event.result?.close()
  })
}
