/** `npm run simulate-attacks` fails if an attack achieves more than the limits allow. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** 10,000 requests, in parallel with other tests. */
const TIMEOUT = 180_000

test(
  'no simulated attack exceeds the bounds of the limits',
  async () => {
    const program = `${ROOT}bench/simulate-attacks.mjs`
    const { stdout } = await promisify(execFile)(process.execPath, [program])
    expect(stdout).toContain('### One account from 1,000 addresses')
  },
  TIMEOUT,
)
