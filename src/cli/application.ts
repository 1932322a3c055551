/** What the command line reads from the folder of an application. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord, parseJsonObject } from '../core/is-record.ts'
import { text } from '../core/config/variables.ts'
import type { Environment } from '../core/config/variables.ts'
import { readIfPossible } from './files.ts'

/** Ports of development servers that do not read `PORT`, by package. */
const PORTS = { '@sveltejs/kit': '5173', '@react-router/dev': '5173', astro: '4321' }

export interface Application {
  /** Packages, with their ranges. */
  readonly packages: Readonly<Record<string, unknown>>
  /** The script `dev`. */
  readonly script: string
}

export function readApplication(folder: string): Application {
  const manifest = parseJsonObject(readIfPossible(join(folder, 'package.json'))) ?? {}
  const part = (name: string) => (isRecord(manifest[name]) ? manifest[name] : {})
  const { dev: script } = part('scripts')
  return {
    packages: { ...part('dependencies'), ...part('devDependencies') },
    script: typeof script === 'string' ? script : '',
  }
}

/** The origin of the development server. */
export function developmentOrigin({
  folder,
  env,
}: {
  readonly folder: string
  readonly env: Environment
}): string {
  const { packages, script } = readApplication(folder)
  const [, fromScript] = /\s(?:--port|-p)[ =](\d+)/.exec(script) ?? []
  const [, ofFramework = /^vite\b/.test(script) ? '5173' : undefined] =
    Object.entries(PORTS).find(([name]) => name in packages) ?? []
  const port = fromScript ?? ofFramework ?? text(env, 'PORT') ?? '3000'
  return `http://localhost:${port}`
}

/** The module of the framework of an application, by package; a framework comes before the servers that it can use. */
const MODULES = {
  next: 'lib-auth/next',
  '@sveltejs/kit': 'lib-auth/sveltekit',
  astro: 'lib-auth/astro',
  nuxt: 'lib-auth/nuxt',
  '@tanstack/react-start': 'lib-auth/tanstack-start',
  '@react-router/dev': 'lib-auth/react-router',
  express: 'lib-auth/express',
  fastify: 'lib-auth/fastify',
  hono: 'lib-auth/hono',
}

/** The module whose default export is `Lib`. */
export function findFrameworkModule(folder: string): string {
  const { packages } = readApplication(folder)
  return Object.entries(MODULES).find(([name]) => name in packages)?.[1] ?? 'lib-auth/node'
}

const FOLDERS = ' src lib src/lib server src/server server/utils app app/lib'.split(' ')
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
