// npm run check: the whole gate. Prints the duration of each step, and ends after the first one that fails.
// `--without-tests` skips the tests.
import { spawnSync } from 'node:child_process'

const bin = (name) => ['node_modules/.bin/' + name]
const STEPS = [
  ['format', ...bin('prettier'), '--check', '.', '--log-level=warn'],
  ['lint', ...bin('oxlint'), '--type-aware', '--deny-warnings'],
  ['types of the source', ...bin('tsc'), '-p', '.', '--noEmit'],
  ['types of the tests', ...bin('tsc'), '-p', 'test'],
  ['unused code', ...bin('knip')],
  ['build', process.execPath, 'tools/build.mjs'],
  ['package', ...bin('publint'), '--strict'],
  ['types of the package', ...bin('attw'), '--pack', '.', '--profile', 'esm-only'],
]

const LONG = ['long', 'react 18', 'response keeps headers']
const TESTS = [
  ['tests', process.execPath, 'tools/test.mjs'],
  [
    'long tests',
    process.execPath,
    'tools/test.mjs',
    ...LONG.flatMap((project) => ['--project', project]),
  ],
]
if (!process.argv.includes('--without-tests')) STEPS.push(...TESTS)

for (const [name, command, ...args] of STEPS) {
  const begin = Date.now()
  process.stdout.write(`\n● ${name}\n`)
  const { status } = spawnSync(command, args, { stdio: 'inherit' })
  if (status !== 0) {
    console.error(`\n${name} failed: ${command} ${args.join(' ')}`)
    process.exit(status ?? 1)
  }
  console.log(`  ${((Date.now() - begin) / 1000).toFixed(1)} s`)
}
