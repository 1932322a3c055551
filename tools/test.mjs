// npm test: builds the library (with arguments: if it has changed), runs all tests except the long ones, and prints the counts in the last line.
// Arguments after `--` are passed to vitest: npm test -- test/core/flows
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { countResults } from './count-results.mjs'

function runNode(args) {
  return spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1
}

const selected = process.argv.slice(2)
const selection = selected.length > 0 ? selected : ['--project', 'all']
const folder = mkdtempSync(join(tmpdir(), 'lib-auth-test-'))
const report = join(folder, 'report.json')

let status = runNode(['tools/build.mjs', ...(selected.length > 0 ? ['--if-stale'] : [])])
if (status === 0)
  status = runNode([
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile=${report}`,
    ...selection,
  ])

try {
  console.log(countResults(JSON.parse(readFileSync(report, 'utf8')), status))
} catch {
  console.log('The test run did not complete.')
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exit(status)
