/** Compares what is installed with the versions that the library was tested with. */
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { isRecord, parseJsonObject } from '../../core/is-record.ts'
import { readIfPossible } from '../files.ts'
import { byVersion } from '../own-version.ts'
import { topic } from './context.ts'
import type { DoctorContext, Finding } from './context.ts'

/** The first versions of Next.js 15 and 16 without known vulnerabilities. */
const SAFE = ['15.5.18', '16.2.6'] as const

const readManifest = (packageFolder: string) =>
  parseJsonObject(readIfPossible(join(packageFolder, 'package.json')))

function versionIn(packageFolder: string): string | undefined {
  const version = readManifest(packageFolder)?.['version']
  return typeof version === 'string' ? version : undefined
}

/** The folder, and those that it is in: where Node.js looks for packages. */
export function ancestors(folder: string): readonly string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...ancestors(parent)]
}

/** The version in the nearest `node_modules`. */
function installedVersion(folder: string, name: string): string | undefined {
  for (const each of ancestors(folder)) {
    const version = versionIn(join(each, 'node_modules', name))
    if (version !== undefined) return version
  }
  return undefined
}

export function* checkNext({ order }: DoctorContext): Generator<Finding> {
  const version = installedVersion(order.folder, 'next')
  if (version === undefined) return
  const safe = version.startsWith('15.') ? SAFE[0] : SAFE[1]
  if (byVersion(version, safe) < 0)
    yield topic('next')
      .warning`version ${version} has known vulnerabilities, fixed in ${SAFE.join(' and ')}. → Run: npm install next@latest, or next@15.5 to stay on version 15.`
}

/** The folder of the package that Node.js would import from a folder, without symbolic links. */
function folderOfPackage(from: string, name: string): string | undefined {
  const candidates = ancestors(from).map((each) => join(each, 'node_modules', name))
  const found = candidates.find((each) => existsSync(join(each, 'package.json')))
  return found === undefined ? undefined : realpathSync(found)
}

const IMPORTED = ['dependencies', 'optionalDependencies', 'peerDependencies'] as const

/** The packages that a package.json lists, under these names of its members. */
function listedIn(folder: string, members: readonly string[]): readonly string[] {
  const manifest = readManifest(folder) ?? {}
  return members.flatMap((member) => {
    const list = manifest[member]
    return isRecord(list) ? Object.keys(list) : []
  })
}

/**
 * The folders of lib-auth that the application and its packages import, each once. It follows the
 * lists of dependencies: a workspace also contains what only other applications import.
 */
function copies(folder: string): readonly string[] {
  const application = ancestors(folder).find((each) => existsSync(join(each, 'package.json')))
  const names = application ? listedIn(application, [...IMPORTED, 'devDependencies']) : []
  const found = new Set<string>()
  const collect = (from: string, name: string) => {
    const path = folderOfPackage(from, name)
    if (path === undefined || found.has(path)) return
    found.add(path)
    for (const each of listedIn(path, IMPORTED)) collect(path, each)
  }
  // Not necessarily listed: it may come with another package.
  for (const name of ['lib-auth', ...names]) collect(folder, name)
  return [...found].filter((each) => readManifest(each)?.['name'] === 'lib-auth')
}

function* checkCopies(folder: string): Generator<Finding> {
  const found = copies(folder)
  const list = found
    .map((each) => `${versionIn(each) ?? 'unknown version'} in ${relative(folder, each)}`)
    .join(', ')
  if (found.length > 1)
    yield topic('versions')
      .warning`lib-auth is installed ${found.length} times: ${list}. instanceof does not recognize the errors of another copy. → Install the same version everywhere, then run: npm dedupe, or pnpm dedupe.`
}

/** A row of etc/support.json; a runtime is not a package. */
interface Supported {
  readonly package?: string
  readonly versions: readonly string[]
}

function readSupported(): Readonly<Record<string, Supported>> {
  return JSON.parse(readFileSync(new URL('../../../etc/support.json', import.meta.url), 'utf8'))
}

interface Installed {
  readonly name: string
  readonly version: string
  readonly tested: readonly string[]
}

/** The runtime, and the packages that the application can import. */
function installed(folder: string): readonly Installed[] {
  const { node, bun, deno } = process.versions
  const runtimes = new Map([
    ['Bun', bun],
    ['Deno', deno],
    ['Node.js', (bun ?? deno) ? undefined : node],
  ])
  return Object.entries(readSupported()).flatMap(([name, { package: id, versions }]) => {
    const version = id === undefined ? runtimes.get(name) : installedVersion(folder, id)
    return version === undefined ? [] : [{ name, version, tested: versions }]
  })
}

/** Empty for a version between the oldest and the newest tested one. */
function compare({ version, tested }: Installed): string {
  const isTested = (sign: number) => tested.some((each) => byVersion(version, each) * sign >= 0)
  if (!isTested(1)) return 'older than tested'
  return isTested(-1) ? '' : 'newer than tested'
}

/** Whether a version of the same major was tested: then others are expected to work. */
function isKnownMajor({ version, tested }: Installed): boolean {
  return tested.some((each) => Number.parseInt(each, 10) === Number.parseInt(version, 10))
}

/** Which packages have a version that was tested, and which have an older or newer one. */
export function* checkVersions({ order: { folder } }: DoctorContext): Generator<Finding> {
  const { ok, warning } = topic('versions')
  yield* checkCopies(folder)
  const fine: string[] = []
  for (const each of installed(folder)) {
    const { name, version, tested } = each
    const difference = compare(each)
    const label = `${name} ${version}`
    if (difference === '' || isKnownMajor(each))
      fine.push(difference === '' ? label : `${label} (${difference})`)
    else
      yield warning`${label} is ${difference}: ${tested.toSorted(byVersion).join(', ')}. → Install a tested version, or test sign-in and sign-out yourself.`
  }
  if (fine.length > 0) yield ok`${fine.join(', ')}.`
}
