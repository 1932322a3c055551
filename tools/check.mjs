// npm run check: the whole gate. Prints the duration and the output of each step; the first one that fails ends it.
// `--without-tests` skips the tests.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { text } from 'node:stream/consumers'

const bin = (name) => ['node_modules/.bin/' + name]
const LONG = ['--project', 'long', '--project', 'react 18']

const PACKED = '.cache/packed'
const PACKAGE = JSON.parse(readFileSync('package.json', 'utf8'))
const TARBALL = `${PACKED}/${PACKAGE.name}-${PACKAGE.version}.tgz`

const BUILD = ['build', process.execPath, 'tools/build.mjs']
const PACK = ['pack', 'npm', 'pack', '--ignore-scripts', '--silent', '--pack-destination', PACKED]
/** They write no files in the repository, so they run at the same time. */
const CHECKS = [
  ['lint', ...bin('oxlint'), '--type-aware', '--deny-warnings'],
  ['types of the package', ...bin('attw'), TARBALL, '--profile', 'esm-only'],
  ['format', ...bin('prettier'), '--check', '.', '--log-level=warn'],
  ['types of the tests', ...bin('tsc'), '-p', 'test'],
  ['types of the source', ...bin('tsc'), '-p', '.', '--noEmit'],
  ['unused code', ...bin('knip')],
  ['package', ...bin('publint'), TARBALL, '--strict'],
  ['public types', process.execPath, 'tools/api.mjs', '--check'],
  ['tested versions', process.execPath, 'tools/support.mjs', '--check'],
  ['budgets', process.execPath, 'tools/budgets.mjs'],
]
const TESTS = [
  ['tests', process.execPath, 'tools/test.mjs', '--project', 'all'],
  ['long tests', process.execPath, 'tools/test.mjs', ...LONG],
]

async function runStep([name, command, ...args], stdio) {
  const begin = Date.now()
  if (stdio === 'inherit') console.log(`\n● ${name}`)
  const child = spawn(command, args, { stdio })
  const exit = new Promise((resolve) => child.once('close', resolve))
  const printed = child.stdout ? await Promise.all([text(child.stdout), text(child.stderr)]) : []
  const status = await exit
  if (stdio !== 'inherit') console.log(`\n● ${name}\n${printed.join('').trimEnd()}`)
  if (status !== 0) {
    console.error(`\n${name} failed: ${command} ${args.join(' ')}`)
    process.exit(1)
  }
  console.log(`  ${((Date.now() - begin) / 1000).toFixed(1)} s`)
}

await runStep(BUILD, 'inherit')
mkdirSync(PACKED, { recursive: true })
await runStep(PACK, 'inherit')
const waiting = [...CHECKS]
const runWaiting = async () => {
  for (let step = waiting.shift(); step; step = waiting.shift()) await runStep(step, 'pipe')
}
await Promise.all(Array.from({ length: availableParallelism() }, runWaiting))
if (!process.argv.includes('--without-tests'))
  for (const step of TESTS) await runStep(step, 'inherit')
