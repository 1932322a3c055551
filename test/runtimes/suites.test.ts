/** The suites of flows, crypto, CSRF and Node.js servers, run on other runtimes. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { run } from '../../tools/run.mjs'
import { findRuntime } from '../services.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const VITEST = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'other runtime']

interface Variant {
  readonly name: Parameters<typeof findRuntime>[0]
  readonly options: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

const VARIANTS: readonly Variant[] = [
  // Of the runtimes on which `Response` copies its headers, one runs everything with one that does not.
  { name: 'node-24', options: [], env: { RESPONSE: 'keeps headers' } },
  // Without `--bun`, the first line of the script would start Node.js.
  { name: 'bun', options: ['--bun'] },
  { name: 'deno', options: ['run', '-A', '--no-remote'] },
]

interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
}

for (const { name, options, env } of VARIANTS) {
  const program = await findRuntime(name)
  test.skipIf(!program)(
    `passes the suites of flows, crypto, CSRF and Node.js servers on ${name}`,
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'lib-auth-runtime-'))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      const version = /\d+\.\d+\.\d+/.exec(await run(program ?? '', ['--version']))?.[0]
      const report = join(folder, 'report.json')
      const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${report}`]
      // Rejects with the output if a test fails, or if a file runs on another runtime.
      await run(program ?? '', [...options, ...VITEST, ...reporters], {
        cwd: ROOT,
        env: { RUNTIME: `${name.replace(/-\d+$/, '')} ${version}`, VITEST: undefined, ...env },
      })
      const result: Report = JSON.parse(readFileSync(report, 'utf8'))
      const { numPassedTests, numFailedTests, numPendingTests } = result
      expect({ numFailedTests, numPendingTests }).toEqual({ numFailedTests: 0, numPendingTests: 0 })
      expect(numPassedTests).toBeGreaterThan(2400)
    },
    600_000,
  )
}
