/** Documents and messages name one command that creates a secret. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const OTHER_COMMANDS =
  /openssl rand|npx auth secret|node -[pe] ["'][^\n]*random|head -c \d+ \/dev\/u?random/

function filesBelow(folder: string, ending: RegExp): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => ending.test(file) && !/node_modules|\.next/.test(file))
    .map((file) => join(folder, file))
}

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

test('no document and no message names another command than npx lib-auth secret', () => {
  const documents = ['docs', 'examples', 'bench'].flatMap((each) => filesBelow(each, /\.md$/))
  const files = ['README.md', 'CONTRIBUTING.md', ...documents, ...filesBelow('src', /\.tsx?$/)]
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => OTHER_COMMANDS.test(read(file)))).toEqual([])
})

test.each([
  'README.md',
  'docs/errors.md',
  'docs/guides/quick-start-next.md',
  'docs/guides/quick-start-next-pages.md',
  'docs/guides/react-router.md',
  'docs/guides/migrate-from-next-auth.md',
  'docs/guides/database.md',
  'docs/reference/command-line.md',
  'docs/reference/configuration.md',
  'examples/cluster/README.md',
])('%s names npx lib-auth secret', (file) => {
  expect(read(file)).toContain('npx lib-auth secret')
})
