/** Applications that are compiled against the declarations of the build. */
import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FOLDER = join(ROOT, '.cache/applications')
const APP = 'app.tsx'

export const ENTRY_POINTS = {
  'lib-auth': 'index',
  'lib-auth/adapters': 'core/database/adapter',
  'lib-auth/adapters/memory': 'adapters/memory',
  'lib-auth/astro': 'frameworks/astro/index',
  'lib-auth/client': 'browser/client/index',
  'lib-auth/errors': 'errors',
  'lib-auth/express': 'frameworks/express/index',
  'lib-auth/fastify': 'frameworks/fastify/index',
  'lib-auth/hono': 'frameworks/hono/index',
  'lib-auth/jwt': 'jwt',
  'lib-auth/next': 'frameworks/next/index',
  'lib-auth/node': 'frameworks/node/index',
  'lib-auth/nuxt': 'frameworks/nuxt/index',
  'lib-auth/providers/credentials': 'providers/credentials',
  'lib-auth/providers/github': 'providers/github',
  'lib-auth/react': 'browser/react/index',
  'lib-auth/react-router': 'frameworks/react-router/index',
  'lib-auth/svelte': 'browser/svelte/index',
  'lib-auth/sveltekit': 'frameworks/sveltekit/index',
  'lib-auth/tanstack-start': 'frameworks/tanstack-start/index',
  'lib-auth/testing': 'testing/index',
  'lib-auth/types': 'core/types',
  'lib-auth/vue': 'browser/vue/index',
  'lib-auth/webauthn': 'browser/webauthn/index',
}

/** The declaration files of the build. */
const PATHS = Object.fromEntries(
  Object.entries(ENTRY_POINTS).map(([name, file]) => [name, [`../../../dist/${file}.d.ts`]]),
)

/** Compiler errors in the application. */
export async function compile(
  folder: string,
  code: string,
  options: object = {},
): Promise<string[]> {
  rmSync(join(FOLDER, folder), { recursive: true, force: true })
  mkdirSync(join(FOLDER, folder), { recursive: true })
  writeFileSync(join(FOLDER, folder, APP), code)
  const config = {
    extends: '../../../test/tsconfig.json',
    compilerOptions: {
      rootDir: '../../..',
      noUnusedLocals: false,
      skipLibCheck: true,
      paths: PATHS,
      ...options,
    },
    files: [APP],
    include: [],
    exclude: [],
  }
  writeFileSync(join(FOLDER, folder, 'tsconfig.json'), JSON.stringify(config))
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
  const output = await new Promise<string>((resolve) => {
    const cwd = join(FOLDER, folder)
    const args = [compiler, '-p', '.', '--pretty', 'false']
    execFile(process.execPath, args, { cwd, encoding: 'utf8' }, (_error, stdout) => resolve(stdout))
  })
  return output.split('\n').filter((line) => /^\S/.test(line))
}
