/** Finds what `migrate-imports` cannot rewrite in files that are not source code. */
import { basename, dirname, join } from 'node:path'
import { parseJsonObject } from '../../core/is-record.ts'
import { readApplication } from '../application.ts'
import { find } from '../code-view.ts'
import type { ManualStep } from '../code-view.ts'
import { readIfPossible } from '../files.ts'
import { RENAMED_VARIABLES } from './manual-steps.ts'
import { LIBRARIES } from './replacements.ts'
import { HTTP_ISSUER_STEP } from './unsafe-steps.ts'

/** Packages that need another one as a peer, where their own `package.json` is not installed. */
const KNOWN_PEERS: Readonly<Record<string, readonly string[]>> = {
  'auth-astro': ['@auth/core'],
  '@hono/auth-js': ['@auth/core'],
  '@sidebase/nuxt-auth': ['next-auth'],
}

function readPeers(name: string, folder: string): readonly string[] {
  const path = join(folder, 'node_modules', name, 'package.json')
  const manifest = parseJsonObject(readIfPossible(path))
  return manifest ? Object.keys(manifest['peerDependencies'] ?? {}) : (KNOWN_PEERS[name] ?? [])
}

const IS_REPLACED = new RegExp(String.raw`^(?:${LIBRARIES}|@sidebase\/nuxt-auth)$`)

/** How to uninstall a package that others may need. */
function describeRemoval(name: string, folder: string): string {
  const { packages } = readApplication(folder)
  const users = Object.keys(packages).filter(
    (each) => each !== 'lib-auth' && readPeers(each, folder).includes(name),
  )
  const install = packages['lib-auth'] ? '' : 'npm install lib-auth && '
  const staying = users.filter((each) => !IS_REPLACED.test(each))
  if (staying.length > 0)
    return `${install.replace(' && ', '. ')}Keep ${name} as long as ${staying.join(' and ')} is installed, which needs it.`
  return `${install}npm uninstall ${[...users, name].join(' ')}`
}

function describePackage(name: string, version: string, folder: string): string {
  if (name.startsWith('@next-auth/'))
    return `${name} is an adapter of version 4: install ${name.replace('@next-auth/', '@auth/')} instead.`
  const command = describeRemoval(name, folder)
  return name === 'next-auth' && version === '4'
    ? `${name} is installed in version 4: see "Migrate from next-auth 4" in the guide; then ${command}`
    : `${name} is installed. When no import of it remains: ${command}`
}

function describeVariable(name: string, issuer: string): string | undefined {
  if (issuer !== '') return HTTP_ISSUER_STEP
  const what = RENAMED_VARIABLES.get(name)
  return what && `${name} ${what}`
}

function describeCompilerOption(resolution: string, name: string): string {
  return name === ''
    ? `"moduleResolution": "${resolution}" does not find lib-auth/next: write "bundler", or "nodenext".`
    : `"${name}" is not an import, so it was not changed.`
}

/** The manual steps in files that are not source code, by the name of the file. */
const PROJECT_FILES = [
  [
    /^package\.json$/,
    new RegExp(
      String.raw`"(${LIBRARIES}|@sidebase\/nuxt-auth|@next-auth\/[\w-]+)"\s*:\s*"[^\d"]*(\d+)`,
      'g',
    ),
    describePackage,
  ],
  [
    /^\.env(?:\.|$)/,
    /^[ \t]*(?:export[ \t]+)?(NEXTAUTH_\w+(?=[ \t]*=)|\w+_ISSUER(?=[ \t]*=[ \t]*(["']?http):))/gm,
    describeVariable,
  ],
  [
    /^[jt]sconfig.*\.json$/,
    new RegExp(
      String.raw`(?<!\/\/.*)"moduleResolution"\s*:\s*"(node|node10|classic)"|"((?:${LIBRARIES})(?:\/[\w/*-]*)?)"`,
      'gi',
    ),
    describeCompilerOption,
  ],
] as const

/** Returns a function that finds the manual steps in a file of the project; `undefined` if it needs none. */
export function projectFile(path: string): ((text: string) => ManualStep[]) | undefined {
  const found = PROJECT_FILES.find(([fileName]) => fileName.test(basename(path)))
  if (!found) return undefined
  const [, pattern, describe] = found
  return (text) => find(text, pattern, (first, second) => describe(first, second, dirname(path)))
}

const SECRET = /^[ \t]*(?:export[ \t]+)?(?:NEXTAUTH|AUTH|LIB)_SECRET[ \t]*=[ \t]*\S/m

/** Whether a file of environment variables sets the secret. */
export function setsSecret(path: string, text: string): boolean {
  return basename(path).startsWith('.env') && SECRET.test(text)
}
