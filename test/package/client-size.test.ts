/** What a page has to load before it is shown, measured as a bundler makes it of the package. */
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import type { Metafile } from 'esbuild'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Bytes, compressed; React is there anyway. */
const FIRST_LOAD = 2500
/** Bytes of everything that a browser can come to load, in the pieces in which it does. */
const EVERYTHING = 4500

interface Bundle {
  /** Source files that are loaded at once. */
  readonly files: readonly string[]
  readonly firstLoad: number
  readonly everything: number
}

/** The pieces that a piece cannot do without, and itself. */
function piecesOf(outputs: Metafile['outputs'], start: string, found = new Set<string>()) {
  found.add(start)
  for (const { kind, path, external } of outputs[start]?.imports ?? [])
    if (kind === 'import-statement' && !external && !found.has(path)) piecesOf(outputs, path, found)
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
    // Names of pieces are part of what is measured: they must not depend on where this repository lies.
    outdir: ROOT,
    absWorkingDir: ROOT,
    write: false,
    metafile: true,
  })
  const { outputs } = metafile
  const start = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === '<stdin>') ?? ''
  const first = piecesOf(outputs, start)
  const texts = outputFiles.map(({ path, text }) => ({ path: relative(ROOT, path), text }))
  // What asks from a server is never loaded by a browser.
  const inBrowser = texts.filter(({ path }) => !outputs[path]?.entryPoint?.includes('react/server'))
  return {
    files: [...first].flatMap((path) => Object.keys(outputs[path]?.inputs ?? {})),
    firstLoad: gzipped(texts.filter(({ path }) => first.has(path)).map(({ text }) => text)),
    everything: inBrowser.reduce((sum, { text }) => sum + gzipped([text]), 0),
  }
}

const REACT = `export * from './src/react/index.ts'`

test('a page with lib-auth/react loads 2.5 kB for it before it is shown', async () => {
  const { firstLoad, files } = await bundle(REACT)
  expect(firstLoad).toBeLessThanOrEqual(FIRST_LOAD)
  expect(firstLoad).toBeGreaterThan(FIRST_LOAD / 2)
  expect(files.join()).toContain('src/react/session-provider.tsx')
  expect(files.join()).not.toMatch(/\/forms|server|src\/errors/)
})

test('all that it ever loads is less than twice that', async () => {
  const { everything, firstLoad } = await bundle(REACT)
  expect(everything).toBeLessThanOrEqual(EVERYTHING)
  expect(everything).toBeGreaterThan(firstLoad)
})

test('what is loaded at once by mistake is noticed', async () => {
  const { firstLoad } = await bundle(`${REACT}; export * as more from './src/client/forms.ts'`)
  expect(firstLoad).toBeGreaterThan(FIRST_LOAD)
})

test('lib-auth/client is smaller than that in one piece', async () => {
  const { firstLoad, everything } = await bundle(`export * from './src/client/index.ts'`)
  expect(firstLoad).toBe(everything)
  expect(firstLoad).toBeLessThanOrEqual(2000)
})
