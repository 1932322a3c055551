/** The size that `lib-auth/react` adds to a page, as a bundler builds it. */
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import type { Metafile } from 'esbuild'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Gzipped bytes of the first load, without React. */
const FIRST_LOAD = 2500
/** Gzipped bytes of all chunks that a browser can load. */
const EVERYTHING = 4600

interface Bundle {
  /** Source files of the first load. */
  readonly files: readonly string[]
  readonly firstLoad: number
  readonly everything: number
}

/** Modules that only a server loads. */
const ON_SERVERS = /react\/server|outside-browser/

type Outputs = Metafile['outputs']

/** A chunk and its imports of these kinds. */
function chunksOf(outputs: Outputs, kinds: RegExp, start: string, found = new Set<string>()) {
  found.add(start)
  for (const { kind, path, external } of outputs[start]?.imports ?? []) {
    if (!kinds.test(kind) || external || found.has(path)) continue
    if (!ON_SERVERS.test(outputs[path]?.entryPoint ?? '')) chunksOf(outputs, kinds, path, found)
  }
  return found
}

const gzipped = (texts: readonly string[]) => gzipSync(texts.join(''), { level: 9 }).length

/** Bundles what an application imports. */
async function bundle(contents: string): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: ROOT, loader: 'ts' },
    external: ['react', 'react/jsx-runtime'],
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    // Chunk names are part of the output: they must not depend on the path of this repository.
    outdir: ROOT,
    absWorkingDir: ROOT,
    write: false,
    metafile: true,
  })
  const { outputs } = metafile
  const start = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === '<stdin>') ?? ''
  const first = chunksOf(outputs, /^import-statement$/, start)
  const all = chunksOf(outputs, /import/, start)
  const texts = outputFiles.map(({ path, text }) => ({ path: relative(ROOT, path), text }))
  return {
    files: [...first].flatMap((path) => Object.keys(outputs[path]?.inputs ?? {})),
    firstLoad: gzipped(texts.filter(({ path }) => first.has(path)).map(({ text }) => text)),
    everything: texts
      .filter(({ path }) => all.has(path))
      .reduce((sum, { text }) => sum + gzipped([text]), 0),
  }
}

const REACT = `export * from './src/browser/react/index.ts'`

test('lib-auth/react adds at most 2.5 kB to the first load of a page', async () => {
  const { firstLoad, files } = await bundle(REACT)
  expect(firstLoad).toBeLessThanOrEqual(FIRST_LOAD)
  expect(firstLoad).toBeGreaterThan(FIRST_LOAD / 2)
  expect(files.join()).toContain('src/browser/react/session.tsx')
  expect(files.join()).not.toMatch(/\/forms|server|src\/(?:core\/)?errors/)
})

test('all chunks of lib-auth/react have at most 4.6 kB', async () => {
  const { everything, firstLoad } = await bundle(REACT)
  expect(everything).toBeLessThanOrEqual(EVERYTHING)
  expect(everything).toBeGreaterThan(firstLoad)
})

test('a static import of the forms exceeds the limit of the first load', async () => {
  const { firstLoad } = await bundle(
    `${REACT}; export * as more from './src/browser/client/forms.ts'`,
  )
  expect(firstLoad).toBeGreaterThan(FIRST_LOAD)
})

test('createClient of lib-auth/client is one chunk of at most 2.1 kB', async () => {
  const { firstLoad, everything } = await bundle(
    `export { createClient, ClientFetchError } from './src/browser/client/index.ts'`,
  )
  expect(firstLoad).toBe(everything)
  expect(firstLoad).toBeLessThanOrEqual(2100)
})

test('createSession of lib-auth/client is one chunk of at most 2.1 kB', async () => {
  const { firstLoad, everything } = await bundle(
    `export { createSession } from './src/browser/client/index.ts'`,
  )
  expect(firstLoad).toBe(everything)
  expect(firstLoad).toBeLessThanOrEqual(2100)
})
