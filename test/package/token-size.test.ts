/** The size of a program that only reads session tokens: see docs/decisions/0008-size.md. */
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

/** Gzipped bytes. */
const LIMIT = 5700

test(`getToken of lib-auth/jwt takes at most ${LIMIT / 1000} kB`, async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { getToken } from './dist/jwt.js'`,
      resolveDir: fileURLToPath(new URL('../..', import.meta.url)),
    },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    write: false,
  })
  const [file] = outputFiles
  expect(gzipSync(file?.contents ?? '', { level: 9 }).length).toBeLessThanOrEqual(LIMIT)
})
