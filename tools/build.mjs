// Builds the package into dist/: the TypeScript compiler, and nothing after it.
// `--watch` builds again after each change.
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const watch = process.argv.includes('--watch')

rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true })
const compiler = spawn(
  process.execPath,
  ['node_modules/typescript/bin/tsc', '-p', '.', ...(watch ? ['--watch'] : [])],
  { cwd: root, stdio: 'inherit' },
)
compiler.on('exit', (code) => process.exit(code ?? 1))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => compiler.kill())
