/** An application bundles no passwords that it does not import, and loads no feature before it is used. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

async function bundled(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: ROOT, loader: 'ts' },
    absWorkingDir: ROOT,
    bundle: true,
    logLevel: 'error',
    minify: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    external: ['next/*'],
  })
  return outputFiles.map(({ text }) => text).join('')
}

const WITHOUT = `
  import { Auth } from './dist/index.js'
  import Lib from './dist/frameworks/next/index.js'
  import Credentials from './dist/providers/credentials.js'
  export const { auth } = Lib({ providers: [Credentials({ authorize: () => null })] })
  export { Auth }
`

test('the code of passwords is in no bundle without it', async () => {
  const marks = ['No function reads the stored hash', 'passwords wait to be hashed']
  const without = await bundled(WITHOUT)
  const withPasswords = await bundled(`${WITHOUT} export { Password } from './dist/password.js'`)
  for (const mark of marks) {
    expect(without).not.toContain(mark)
    expect(withPasswords).toContain(mark)
  }
})

const MARKS = {
  'the second step': 'secondStep.required returned true for a user who is not in the database',
  'changes of accounts': 'The session does not show that its user is in the database, or is older',
  'changes of addresses': 'The change has expired, or was cancelled or replaced by another one.',
  passwords: 'No function reads the stored hash',
}

test('a process that signs users in with a provider loads nothing else', () => {
  const script = fileURLToPath(new URL('loaded-modules.mjs', import.meta.url))
  const output = execFileSync(process.execPath, [script], { cwd: ROOT, encoding: 'utf8' })
  const loaded = output.split('\n').filter((line) => line.startsWith('file:'))
  const codeOf = (files: readonly string[]) =>
    files.map((file) => readFileSync(file, 'utf8')).join('\n')
  const code = codeOf(loaded.map((url) => fileURLToPath(url)))
  expect(code).toContain('The visitor is not signed in')
  const dist = join(ROOT, 'dist')
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  const all = codeOf(files.filter((file) => file.endsWith('.js')).map((file) => join(dist, file)))
  for (const [feature, mark] of Object.entries(MARKS)) {
    expect(all, feature).toContain(mark)
    expect(code, feature).not.toContain(mark)
  }
})
