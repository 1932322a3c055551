// npm run budgets: measures the package, prints a table for the release notes, and exits with 1 if a figure is above its
// limit in etc/budgets.json. `--write` stores the figures. A limit is raised only by a commit that says why.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FILE = `${ROOT}etc/budgets.json`

function pack() {
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  const [{ size, unpackedSize, entryCount }] = JSON.parse(stdout)
  return { size, unpackedSize, entryCount }
}

function folderSize(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => statSync(`${folder}/${file}`))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0)
}

/** Gzipped bytes of a program in one file, without what it loads later. */
async function bundle(contents) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: ROOT },
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    outdir: 'out',
    metafile: true,
    logLevel: 'error',
    write: false,
  })
  const wanted = new Set()
  const add = (path) => {
    if (wanted.has(path)) return
    wanted.add(path)
    for (const { path: other, kind } of metafile.outputs[path]?.imports ?? [])
      if (kind === 'import-statement') add(other)
  }
  add(Object.keys(metafile.outputs).find((path) => path.endsWith('stdin.js')))
  const files = outputFiles.filter(({ path }) => [...wanted].some((each) => path.endsWith(each)))
  return gzipSync(Buffer.concat(files.map((file) => file.contents)), { level: 9 }).length
}

async function measure() {
  const { dependencies, exports } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'))
  const packed = pack()
  const installed = Object.keys(dependencies).map((name) =>
    folderSize(`${ROOT}node_modules/${name}`),
  )
  const api = readFileSync(`${ROOT}etc/api.txt`, 'utf8')
  return {
    'tarball, bytes': packed.size,
    'unpacked, bytes': packed.unpackedSize,
    files: packed.entryCount,
    'run-time dependencies': Object.keys(dependencies).length,
    'installed with dependencies, bytes': installed.reduce(
      (sum, each) => sum + each,
      packed.unpackedSize,
    ),
    'keys of exports': Object.keys(exports).length,
    'exported names': (api.split('\n# Declarations\n')[0].match(/^ {2}\w/gm) ?? []).length,
    'Auth before the first request, gzipped bytes': await bundle(
      `import { Auth } from './dist/index.js'; import GitHub from './dist/providers/github.js'; export const answer = (request) => Auth(request, { providers: [GitHub] })`,
    ),
    'client, gzipped bytes': await bundle(`export * from './dist/browser/client/index.js'`),
  }
}

const budgets = JSON.parse(readFileSync(FILE, 'utf8'))
const values = await measure()
console.log('| figure | value | last release | limit |\n| --- | ---: | ---: | ---: |')
for (const [name, value] of Object.entries(values)) {
  const { limit, value: last } = budgets[name] ?? {}
  console.log(`| ${name} | ${value} | ${last ?? '–'} | ${limit ?? 'missing'} |`)
  if (limit === undefined || value > limit) {
    console.error(`${name}: ${value} is above the limit of etc/budgets.json (${limit}).`)
    process.exitCode = 1
  }
}
if (process.argv.includes('--write')) {
  const entries = Object.entries(values).map(([name, value]) => [name, { ...budgets[name], value }])
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`)
}
