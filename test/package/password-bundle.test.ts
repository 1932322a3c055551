/** An application bundles the code of passwords only if it imports `lib-auth/password`. */
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
