// Builds the package into dist/: types with the TypeScript compiler, JavaScript with Rolldown.
// `--watch` builds again after each change; `--if-stale` builds only if the source has changed since the last build.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundle, watchBundle } from './bundle.mjs'
import { isStale } from './is-stale.mjs'
import { linkTypes } from './link-types.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const watch = process.argv.includes('--watch')
if (process.argv.includes('--if-stale') && !isStale()) process.exit(0)

rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true })
const compiler = spawn(
  process.execPath,
  [
    'node_modules/typescript/bin/tsc',
    '-p',
    '.',
    '--emitDeclarationOnly',
    ...(watch ? ['--watch', '--preserveWatchOutput'] : []),
  ],
  { cwd: root, stdio: 'inherit' },
)
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => compiler.kill())
if (watch) watchBundle()

const [code] = await once(compiler, 'exit')
if (code === 0 && !watch) {
  linkTypes()
  await bundle()
  // npm sets this mode when it installs the package; here it runs from dist/.
  chmodSync(new URL('../dist/cli/index.js', import.meta.url), 0o755)
}
process.exit(code ?? 1)
