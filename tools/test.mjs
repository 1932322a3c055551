// npm test: builds the library, runs all tests except the long ones, and prints the counts in the last line.
// Arguments after `--` are passed to vitest, and the library is built only if it has changed: npm test -- test/core/flows
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const selected = process.argv.slice(2)
const isAll = selected.length === 0
const folder = mkdtempSync(join(tmpdir(), 'lib-auth-test-'))
const report = join(folder, 'report.json')

function runNode(...args) {
  return spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1
}

/** The counts of a run. A file that could not be loaded has no tests, and counts as failed. */
function countResults({ numPassedTests, numFailedTests, numPendingTests, testResults }) {
  const isFailed = ({ status }) => status === 'failed'
  const broken = testResults.filter(
    (file) => isFailed(file) && !file.assertionResults.some(isFailed),
  ).length
  const counts = `${numPassedTests} passed, ${numFailedTests + broken} failed, ${numPendingTests} skipped`
  if (broken > 0) return `${counts} (${broken} failed outside of tests)`
  // Only the exit status reports an error outside of tests.
  return status === 0 || numFailedTests > 0 ? counts : `${counts}; the run failed: see above`
}

let status = runNode('tools/build.mjs', ...(isAll ? [] : ['--if-stale']))
if (status === 0) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${report}`]
  const selection = isAll ? ['--project', 'all'] : selected
  status = runNode('node_modules/vitest/vitest.mjs', 'run', ...reporters, ...selection)
}
try {
  console.log(countResults(JSON.parse(readFileSync(report, 'utf8'))))
} catch {
  console.log('The test run did not complete.')
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exit(status)
