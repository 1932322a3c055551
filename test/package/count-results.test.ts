/** The last line of `npm test`, for every way in which a run of vitest can end. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { countResults } from '../../tools/count-results.mjs'

const VITEST = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
const PASSES = "test('passes', () => {})\ntest.skip('is skipped', () => {})\n"

/** Runs vitest over one file that passes and one with this code; returns the last line. */
function lastLineOf(code: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'lib-auth-count-'))
  try {
    writeFileSync(join(folder, 'passing.test.js'), PASSES)
    writeFileSync(join(folder, 'other.test.js'), code)
    const report = join(folder, 'report.json')
    const options = ['--globals', '--reporter=json', `--outputFile=${report}`]
    const { status } = spawnSync(process.execPath, [VITEST, 'run', ...options], { cwd: folder })
    return countResults(JSON.parse(readFileSync(report, 'utf8')), status ?? 1)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test.each([
  ['passes', PASSES, '2 passed, 0 failed, 2 skipped'],
  [
    'has a failed test',
    "test('fails', () => { throw new Error('x') })",
    '1 passed, 1 failed, 1 skipped',
  ],
  [
    'cannot be loaded',
    "import './missing.js'\ntest('x', () => {})",
    '1 passed, 1 failed, 1 skipped (1 failed outside of tests)',
  ],
  [
    'has a hook that throws',
    "beforeAll(() => { throw new Error('x') })\ntest('x', () => {})",
    '1 passed, 1 failed, 2 skipped (1 failed outside of tests)',
  ],
  [
    'leaves an error unhandled',
    "test('x', async () => { void Promise.reject(new Error('x')); await new Promise((r) => setTimeout(r, 50)) })",
    '2 passed, 1 skipped; the run failed: see above',
  ],
])('counts a file that %s', (_name, code, line) => {
  expect(lastLineOf(code)).toBe(line)
})
