/** The size of a middleware: see docs/decisions/0008-size.md. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { makeNextApp, nextProgram } from '../../tools/next-app.mjs'
import { start } from '../../tools/run.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Bytes that may be loaded before the first request. */
const LIMIT = 41_300

/** Bytes that the library, with its imports from Next, adds to the file of an edge middleware. */
const EDGE_LIMIT = 182_600

/** Bytes of that file around a middleware that does nothing, with the version of Next that was measured. */
const EMPTY = { next: '15.5.28', bytes: 24_780 }

/** A middleware with sessions in cookies and one provider. */
function middleware(library: string, github: string): string {
  return `
    import Lib from '${library}'
    import GitHub from '${github}'

    export const { auth } = Lib({ session: { strategy: 'jwt' }, providers: [GitHub] })
    export { auth as middleware }
  `
}

const SOURCE = middleware('./dist/frameworks/next/index.js', './dist/providers/github.js')

function gzipped(contents: Uint8Array): number {
  return gzipSync(contents, { level: 9 }).length
}

/** Gzipped bytes of a module and its static imports. */
async function loadedAtStart(contents: string): Promise<number> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: ROOT, loader: 'ts' },
    absWorkingDir: ROOT,
    outdir: ROOT,
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    target: 'es2022',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['edge-light'],
    // As Next.js defines it in a build.
    define: { 'process.env.NODE_ENV': '"production"' },
    external: ['next/*'],
  })
  const [entry = ''] =
    Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === '<stdin>') ?? []
  const loaded = new Set([entry])
  for (const path of loaded)
    for (const { kind, path: imported, external } of metafile.outputs[path]?.imports ?? [])
      if (kind === 'import-statement' && !external) loaded.add(imported)
  const files = new Set([...loaded].map((path) => join(ROOT, path)))
  const chunks = outputFiles.filter(({ path }) => files.has(path))
  return gzipped(Buffer.concat(chunks.map((file) => file.contents)))
}

/** Gzipped bytes of an edge middleware that Next 15 builds for an otherwise empty application. */
async function edgeBundleSize(code: string): Promise<number> {
  const from = mkdtempSync(join(tmpdir(), 'lib-auth-middleware-'))
  mkdirSync(join(from, 'pages'))
  writeFileSync(join(from, 'pages/index.js'), 'export default function Page() { return null }')
  writeFileSync(join(from, 'middleware.js'), code)
  const folder = makeNextApp({ from, name: 'middleware-size', version: 15 })
  rmSync(from, { recursive: true })
  const env = { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' }
  const program = start(process.execPath, [nextProgram(15), 'build'], { cwd: folder, env })
  const isCompiled = () => program.output().includes('Compiled successfully')
  await vi.waitUntil(() => isCompiled() || program.hasEnded(), { timeout: 120_000 })
  // The later steps of the build take longer and do not change the middleware.
  await program.stop()
  if (!isCompiled()) throw new Error(program.output())
  return gzipped(readFileSync(join(folder, '.next/server/middleware.js')))
}

describe('a middleware with a jwt configuration', () => {
  test(`loads at most ${LIMIT / 1000} kB of the library before the first request`, async () => {
    expect(await loadedAtStart(SOURCE)).toBeLessThanOrEqual(LIMIT)
  })

  test('exceeds the limit with static imports of modules for later requests', async () => {
    const later = [
      'core/flows/oauth/begin',
      'core/flows/oauth/complete',
      'core/identity/sign-in',
      'core/pages/message-pages',
    ]
    const staticImports = later.map((path) => `export * from './dist/${path}.js'`).join('\n')
    expect(await loadedAtStart(`${SOURCE}\n${staticImports}`)).toBeGreaterThan(LIMIT)
  })

  describe('on the edge of Next.js 15', () => {
    let added: number
    beforeAll(async () => {
      const bytes = await edgeBundleSize(middleware('lib-auth/next', 'lib-auth/providers/github'))
      added = bytes - EMPTY.bytes
    }, 150_000)

    test('is compared with an empty middleware of the same Next.js version', () => {
      const { resolve } = createRequire(nextProgram(15))
      const { version } = JSON.parse(readFileSync(resolve('next/package.json'), 'utf8'))
      expect(version, 'build an empty middleware, and write its size down').toBe(EMPTY.next)
    })

    test(`grows by no more than ${EDGE_LIMIT / 1000} kB`, () => {
      expect(added).toBeLessThanOrEqual(EDGE_LIMIT)
    })
  })
})
