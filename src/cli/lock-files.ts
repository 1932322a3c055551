/** The version of the library in the lock file of each package manager. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord } from '../core/is-record.ts'
import { ancestors } from './doctor/versions.ts'
import { Failure, readMessage, UsageError } from './errors.ts'
import { byVersion } from './own-version.ts'

/** The version before, which may be unknown, and where it is from. */
interface Before {
  readonly version: string | undefined
  readonly source: string
}

type FindVersions = (text: string) => readonly string[]

/** An entry of the library, also under an alias; the entry of the project has an empty key. */
function isLibrary(key: string, name: unknown): boolean {
  if (key === '') return false
  return name === undefined ? /^(?:.*node_modules\/)?lib-auth$/s.test(key) : name === 'lib-auth'
}

/** Parsed: npm keeps the format of a file, which may have no line breaks. @throws SyntaxError */
function inJson(text: string): readonly string[] {
  const versions: string[] = []
  JSON.parse(text.replace(/^\uFEFF/, ''), (key, value: unknown) => {
    if (isRecord(value) && isLibrary(key, value['name'])) versions.push(String(value['version']))
    return value
  })
  // Others are the URL of a file or of a repository.
  return versions.filter((version) => /^\d[\w.+-]*$/.test(version))
}

const matching =
  (pattern: RegExp): FindVersions =>
  (text) =>
    Array.from(text.matchAll(pattern), ([, version = '']) => version)

const LOCK_FILES: readonly (readonly [name: string, versions: FindVersions])[] = [
  ['package-lock.json', inJson],
  ['npm-shrinkwrap.json', inJson],
  ['pnpm-lock.yaml', matching(/^ {2}'?\/?lib-auth[@/](\d[\w.+-]*?)(?=[:'(_])/gm)],
  ['yarn.lock', matching(/^"?(?:[^\s"]*@npm:)?lib-auth@.*:\s+version:? "?(\d[\w.+-]*)/gm)],
  // With comments and trailing commas.
  ['bun.lock', matching(/": \["lib-auth@(\d[\w.+-]*)"/g)],
]

function readVersions(path: string, find: FindVersions): readonly string[] {
  try {
    return find(readFileSync(path, 'utf8'))
  } catch (cause) {
    // The message of the parser contains a part of the file.
    const why = cause instanceof SyntaxError ? 'it is not JSON' : readMessage(cause)
    throw new Failure(
      `${path} cannot be read: ${why}. Name the version that was in use: --from 0.1.0`,
      { cause },
    )
  }
}

/**
 * The oldest version in the lock files of the nearest folder that has one.
 *
 * @throws UsageError without a lock file, Failure for one that cannot be read
 */
export function readLockFile(folder: string): Before {
  for (const each of ancestors(folder)) {
    const found = LOCK_FILES.filter(([name]) => existsSync(join(each, name)))
    const versions = found.flatMap(([source, find]) =>
      readVersions(join(each, source), find).map((version) => ({ version, source })),
    )
    const [oldest] = versions.toSorted((one, other) => byVersion(one.version, other.version))
    if (oldest) return oldest
    if (found[0]) return { version: undefined, source: found[0][0] }
  }
  throw new UsageError(
    `There is no lock file in ${folder} or above it (${LOCK_FILES.map(([name]) => name).join(', ')}). Name the version that was in use: --from 0.1.0`,
  )
}
