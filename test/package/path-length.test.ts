/** How many files a reader of one request has to open, measured with the coverage of V8 over dist. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const MAX_FILES = 40
const SCRIPT = fileURLToPath(new URL('path-length.mjs', import.meta.url))

test(`an OpenID Connect callback enters at most ${MAX_FILES} files`, () => {
  const output = execFileSync(process.execPath, [SCRIPT], { encoding: 'utf8' })
  const called: Record<string, string[]> = JSON.parse(output)
  const files = Object.keys(called)
  const functions = Object.values(called).flat()
  expect(files).toEqual(expect.arrayContaining(['auth.ts', 'flows/oauth/complete.ts']))
  expect(
    files.length,
    `${functions.length} functions in ${files.length} files:\n${files.join('\n')}`,
  ).toBeLessThanOrEqual(MAX_FILES)
})
