// Costs before the first request: time to load and to respond once, and bytes of a bundle.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const HERE = fileURLToPath(new URL('..', import.meta.url))
const RUNS = 15
const packages = { 'lib-auth': 'lib-auth', '@auth/core': '@auth/core' }

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}

/** A process that loads the package, answers one request, and prints how many milliseconds that took. */
function coldStart(name) {
  const script = `
    const begin = performance.now()
    const { Auth } = await import('${name}')
    const { default: GitHub } = await import('${name}/providers/github')
    const config = {
      providers: [GitHub({ clientId: 'id', clientSecret: 'secret' })],
      secret: 'thirty-two bytes for a benchmark, or more',
      trustHost: true,
    }
    const response = await Auth(new Request('https://app.test/auth/providers'), config)
    if (!(await response.json()).github) throw new Error('wrong answer')
    console.log(performance.now() - begin)`
  const args = ['--input-type=module', '--eval', script]
  return Number(execFileSync(process.execPath, args, { cwd: HERE, encoding: 'utf8' }))
}

async function coldStarts() {
  const names = Object.keys(packages)
  const times = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = 0; round < RUNS; round++)
    for (const name of names) times[name].push(coldStart(name))
  return Object.fromEntries(
    names.map((name) => [
      name,
      {
        microseconds: median(times[name]) * 1000,
        ratio: median(times[name].map((time, round) => time / times['lib-auth'][round])),
      },
    ]),
  )
}

/**
 * Gzipped bytes of the core and one provider, minified.
 *
 * @param what `all`: everything that can be loaded. `start`: what is loaded before the first request, where
 * the bundler keeps dynamic imports apart
 */
async function bundleSize(name, what) {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: `export { Auth } from '${name}'; export { default } from '${name}/providers/github'`,
      resolveDir: HERE,
    },
    bundle: true,
    splitting: what === 'start',
    metafile: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    outdir: HERE,
    write: false,
  })
  const outputs = Object.entries(metafile.outputs)
  const [entry] = outputs.find(([, { entryPoint }]) => entryPoint === '<stdin>')
  const loaded = new Set([entry])
  for (const path of loaded)
    for (const { kind, path: next } of metafile.outputs[path].imports)
      if (kind === 'import-statement' && next in metafile.outputs) loaded.add(next)
  const files = outputFiles.filter(({ path }) => [...loaded].some((each) => path.endsWith(each)))
  return files.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0)
}

async function bundles(what) {
  const sizes = {}
  for (const name of Object.keys(packages)) sizes[name] = await bundleSize(name, what)
  return Object.fromEntries(
    Object.entries(sizes).map(([name, bytes]) => [
      name,
      { bytes, ratio: bytes / sizes['lib-auth'] },
    ]),
  )
}

export const cases = [
  { name: 'cold start', aim: { peer: 1 / 0.7 }, run: coldStarts },
  {
    name: 'bundle, core and one provider (gzip)',
    aim: { bytes: 30_000 },
    run: () => bundles('all'),
  },
  { name: 'bundle before the first request (gzip)', run: () => bundles('start') },
]
