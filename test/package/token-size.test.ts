/** The size of a program that only reads session tokens: see docs/decisions/0008-size.md. */
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

/** Gzipped bytes without what `session.revocation` loads, and with it in the same file. */
const LIMITS = { alone: 6000, together: 17_600 }

/** What is loaded on its first use. */
const REVOCATION = './core/config/revoked-tokens.js'

async function sizeOfBundle(external: string[]): Promise<number> {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { getToken } from './dist/jwt.js'`,
      resolveDir: fileURLToPath(new URL('../..', import.meta.url)),
    },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    external,
    write: false,
  })
  const [file] = outputFiles
  return gzipSync(file?.contents ?? '', { level: 9 }).length
}

test(`getToken of lib-auth/jwt takes at most ${LIMITS.alone / 1000} kB`, async () => {
  expect(await sizeOfBundle([REVOCATION])).toBeLessThanOrEqual(LIMITS.alone)
})

test(`with what session.revocation loads, it takes at most ${LIMITS.together / 1000} kB`, async () => {
  const size = await sizeOfBundle([])
  expect(size).toBeGreaterThan(LIMITS.alone)
  expect(size).toBeLessThanOrEqual(LIMITS.together)
})
