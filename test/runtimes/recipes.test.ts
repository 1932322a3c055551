/** The conformance suite for recipes of docs/guides/other-servers.md, on the runtimes for which they are written. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { run } from '../../tools/run.mjs'
import { findFramework, findRuntime } from '../services.ts'
import type { Exceptions } from '../frameworks/conformance/index.ts'
import { bundleRecipe } from './guide-program.ts'
import type { Recipe } from './guide-program.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const VITEST = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'recipe']

interface Server extends Recipe {
  readonly runtime: 'bun' | 'deno'
  readonly options: readonly string[]
  readonly exceptions: Exceptions
}

const BUN = { runtime: 'bun', options: ['--bun'] } as const

const SERVERS: readonly Server[] = [
  {
    ...BUN,
    name: 'bun.ts',
    banner: `const { serve } = Bun; Bun.serve = (options) => serve({ ...options, hostname: '127.0.0.1' })`,
    entry: `import { server } from './bun'
export const listen = () => ({ port: server.port, stop: () => server.stop(true) })`,
    exceptions: {},
  },
  {
    ...BUN,
    name: 'elysia.ts',
    entry: `import { app } from './elysia'
export function listen() {
  app.listen({ port: 0, hostname: '127.0.0.1' })
  return { port: app.server.port, stop: () => app.server.stop(true) }
}`,
    external: ['elysia'],
    exceptions: {},
  },
  {
    runtime: 'deno',
    options: ['run', '-A', '--no-remote'],
    name: 'deno.ts',
    banner: `const { serve } = Deno; Deno.serve = (options, ...rest) => serve({ ...options, hostname: '127.0.0.1', onListen() {} }, ...rest)`,
    entry: `import { server } from './deno'
export const listen = () => ({ port: server.addr.port, stop: () => server.shutdown() })`,
    exceptions: {},
  },
]

const recipes = await findFramework('recipes')

for (const { name, runtime, options, exceptions, ...recipe } of SERVERS) {
  const program = await findRuntime(runtime)
  test.skipIf(!program || !recipes)(
    `${name} passes the conformance suite on ${runtime}`,
    async () => {
      // Below node_modules, where the program finds its packages.
      const folder = join(recipes ?? '', 'node_modules/.programs')
      mkdirSync(folder, { recursive: true })
      const own = mkdtempSync(join(folder, `${runtime}-`))
      onTestFinished(() => rmSync(own, { recursive: true, force: true }))
      const file = join(own, 'recipe.mjs')
      await bundleRecipe({ name, ...recipe }, file)
      const version = /\d+\.\d+\.\d+/.exec(await run(program ?? '', ['--version']))?.[0]
      const printed = await run(program ?? '', [...options, ...VITEST], {
        cwd: ROOT,
        env: {
          RUNTIME: `${runtime} ${version}`,
          RECIPE: JSON.stringify({ name, file, exceptions }),
          VITEST: undefined,
          NODE_ENV: 'production',
          NO_COLOR: '1',
        },
      })
      expect(printed).toMatch(/Tests {2}\d{2} passed/)
    },
    600_000,
  )
}
