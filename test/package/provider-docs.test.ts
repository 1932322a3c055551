/** The generated pages in docs/providers. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { providerNames } from '../../src/core/config/variables.ts'
import { fixtures } from '../providers/catalogue.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

test('the pages are up to date', () => {
  const program = join(ROOT, 'tools/provider-docs.mjs')
  const { status, stderr } = spawnSync(process.execPath, [program, '--check'], { encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(status).toBe(0)
})

test.each([...fixtures])(
  'the page of %s names the variables that the library reads',
  (file, { id, token }) => {
    const page = read(`docs/providers/${file}.md`)
    expect(page).toContain(`\n${providerNames(id, 'clientId')[0]}=\n`)
    const secret = `\n${providerNames(id, 'clientSecret')[0]}=\n`
    const isSent =
      token.auth !== 'none' || Object.values(token.params ?? {}).includes('{clientSecret}')
    expect(page.includes(secret)).toBe(isSent)
  },
)
