// Builds the package into dist/: the TypeScript compiler, and nothing after it.
// `--watch` builds again after each change.
import { spawn } from 'node:child_process'
import { chmodSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const watch = process.argv.includes('--watch')

rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true })
const compiler = spawn(
  process.execPath,
  ['node_modules/typescript/bin/tsc', '-p', '.', ...(watch ? ['--watch'] : [])],
  { cwd: root, stdio: 'inherit' },
)
compiler.on('exit', (code) => {
  // What npm does when it installs the package; here it runs as it was built.
  if (code === 0) chmodSync(new URL('../dist/cli/index.js', import.meta.url), 0o755)
  process.exit(code ?? 1)
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => compiler.kill())
