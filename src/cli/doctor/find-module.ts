/** Where applications keep their configuration. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const FOLDERS = [
  '',
  'src',
  'lib',
  'src/lib',
  'server',
  'src/server',
  'server/utils',
  'app',
  'app/lib',
]
const EXTENSIONS = ['ts', 'mts', 'tsx', 'js', 'mjs']
/** SvelteKit and React Router keep `auth.server.ts` out of the code for browsers. */
const ENDINGS: readonly string[] = [...EXTENSIONS, ...EXTENSIONS.map((each) => `server.${each}`)]
/** The module with the configuration, relative to the folder. */
export function findModule(folder: string): string | undefined {
  const names = FOLDERS.flatMap((each) => ENDINGS.map((ending) => join(each, `auth.${ending}`)))
  // SvelteKit calls the result of Lib in its hooks, where small applications configure it.
  names.push('src/hooks.server.ts', 'src/hooks.server.js')
  return names.find((name) => existsSync(join(folder, name)))
}
