// Builds the application of SvelteKit, whose packages have a lockfile of their own.
import { cpSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../tools/run.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const APP = fileURLToPath(new URL('sveltekit-app', import.meta.url))

export async function buildSvelteKit() {
  const modules = join(APP, 'node_modules')
  if (!existsSync(modules))
    throw new Error(
      'Install the packages of SvelteKit: npm ci --ignore-scripts --prefix bench/sveltekit-app',
    )
  const copy = join(modules, 'lib-auth')
  rmSync(copy, { recursive: true, force: true })
  for (const each of ['package.json', 'dist'])
    cpSync(join(ROOT, each), join(copy, each), { recursive: true })
  const env = { NODE_ENV: 'production' }
  await run(process.execPath, [join(modules, 'vite/bin/vite.js'), 'build'], { cwd: APP, env })
}
