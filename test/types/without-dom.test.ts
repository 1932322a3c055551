/** A server without DOM types: `lib` has no DOM, and the types of Node supply `Request` and `fetch`. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { compileWithOurs } from './compile.ts'

const ROOT = new URL('../../', import.meta.url)
const { exports } = JSON.parse(
  readFileSync(fileURLToPath(new URL('package.json', ROOT)), 'utf8'),
) as { readonly exports: Readonly<Record<string, unknown>> }

function filesOf(folder: string): string[] {
  return readdirSync(new URL(`src/${folder}`, ROOT), { withFileTypes: true })
    .filter((entry) => entry.isFile() && !/^(?:_|index\.ts)/.test(entry.name))
    .map(({ name }) => `${folder}/${name.replace(/\.ts$/, '')}`)
}

const SUBPATHS = Object.keys(exports)
  .filter((subpath) => !/\*|package\.json/.test(subpath))
  .map((subpath) => subpath.slice(2))
  .concat(filesOf('providers'), filesOf('adapters'))

const NAMES = SUBPATHS.map((subpath) => ['lib-auth', subpath].filter(Boolean).join('/'))

test('every module compiles without DOM types', async () => {
  const code = NAMES.map((name, index) => `export * as m${index} from '${name}'`).join('\n')
  const { problems } = await compileWithOurs({
    name: 'without-dom',
    files: [],
    code: { 'all.ts': code },
    options: { lib: ['ESNext'], skipLibCheck: false },
  })
  expect(NAMES).toContain('lib-auth/providers/github')
  expect(problems).toEqual([])
})
