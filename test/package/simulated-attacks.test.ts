/** docs/reference/protection.md contains what `npm run simulate-attacks` prints. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** 10,000 requests, in parallel with other tests. */
const TIMEOUT = 180_000

test(
  'the document about attacks contains the output of its command',
  async () => {
    const program = `${ROOT}tools/simulate-attacks.mjs`
    const { stdout } = await promisify(execFile)(process.execPath, [program])
    expect(stdout).toContain('### One account from 1,000 addresses')
    expect(readFileSync(`${ROOT}docs/reference/protection.md`, 'utf8')).toContain(stdout)
  },
  TIMEOUT,
)
