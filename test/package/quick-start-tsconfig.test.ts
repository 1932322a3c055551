/** The `tsconfig.json` of the quick starts. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { findBlocks } from './snippets.ts'
import type TypeScript from '../apps/typescript-6.0/node_modules/typescript/lib/typescript.js'

const require = createRequire(import.meta.url)
const ts: typeof TypeScript = require('../apps/typescript-6.0/node_modules/typescript')
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The defaults that Next.js 15 adds to `tsconfig.json`. */
const NEXT_15 = { module: 'esnext', moduleResolution: 'node' }

test.each([
  ['App Router', 'docs/guides/quick-start-next.md'],
  ['Pages Router', 'docs/guides/quick-start-next-pages.md'],
])(
  'the tsconfig.json of the quick start with the %s is strict and resolves the package, also on Next.js 15',
  (_router, document) => {
    const blocks = findBlocks(document, readFileSync(join(ROOT, document), 'utf8'))
    const { code = '' } = blocks.find(({ file }) => file === 'tsconfig.json') ?? {}
    const { config } = ts.parseConfigFileTextToJson('tsconfig.json', code)
    const written = { ...NEXT_15, ...config?.compilerOptions }
    const { options, errors } = ts.convertCompilerOptionsFromJson(written, ROOT)
    const file = join(ROOT, 'auth.ts')
    const { resolvedModule } = ts.resolveModuleName('lib-auth/next', file, options, ts.sys)
    expect([errors, options.strict]).toEqual([[], true])
    expect(resolvedModule?.resolvedFileName).toMatch(/dist\/frameworks\/next\/index\.d\.ts$/)
  },
)
