/** The release before this one runs next to it, and again after a day on it, with what this one has written. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { CASES } from './cases.ts'
import { checkCase } from './check-case.ts'
import { IN_PROCESS, tablesOf } from './databases.ts'
import { isAfter } from '../../tools/release-files.mjs'
import { capture, CAPTURED_AT, frozenVersions, roll } from './frozen.ts'
import type { Frozen, FrozenCase } from './frozen.ts'
import { findCommit } from './history.ts'
import { loadLibrary } from './library.ts'
import type { Library } from './library.ts'
import { shareRequests } from './shared-requests.ts'
import { LONGEST_IDLE } from './site.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()

const readJson = (file: string) =>
  JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as Readonly<Record<string, string>>

/** The commit of the frozen release before this one, if the checkout has it; `DOWNGRADE`: another commit. */
function findPrevious(): string | undefined {
  const { version = '' } = readJson('package.json')
  const last = frozenVersions().findLast((each) => isAfter(version, each))
  const { commit } = last ? readJson(`test/upgrade/${last}/manifest.json`) : {}
  return process.env['DOWNGRADE'] ?? (commit === undefined ? undefined : findCommit(commit))
}

/** The build of a commit, in a checkout of its own. */
function build(commit: string, checkout: string): string {
  if (!existsSync(checkout)) git('worktree', 'add', '--detach', '--quiet', checkout, commit)
  symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'))
  execFileSync(process.execPath, ['tools/build.mjs'], { cwd: checkout, stdio: 'pipe' })
  return join(checkout, 'dist')
}

const previous = findPrevious()

const DAY = 24 * 60 * 60
const EXTENDED = Object.entries(CASES).flatMap(([name, each]) =>
  each.kind === 'session' && each.lasts === LONGEST_IDLE ? [name] : [],
)

describe.skipIf(previous === undefined)(`the release ${previous ?? 'before this one'}`, () => {
  mkdirSync(join(ROOT, '.cache'), { recursive: true })
  const folder = mkdtempSync(join(ROOT, '.cache/downgrade-'))
  const checkout = join(folder, 'checkout')
  const cases: Record<string, FrozenCase> = {}
  const frozen: Frozen = { version: 'this one', at: CAPTURED_AT, tables: tablesOf('sqlite'), cases }
  let current: Library
  let library: Library

  beforeAll(async () => {
    library = await loadLibrary(build(previous ?? '', checkout))
    current = await loadLibrary()
    for (const name of Object.keys(CASES)) cases[name] = await capture(current, name)
  })
  afterEach(() => void vi.useRealTimers())
  afterAll(() => {
    if (existsSync(checkout)) git('worktree', 'remove', '--force', checkout)
    rmSync(folder, { recursive: true, force: true })
  })

  test.each(Object.keys(CASES))('reads, rolls and finishes: %s', async (name) => {
    await expect(checkCase({ library, frozen, name })).resolves.toBeUndefined()
  })

  test.each(EXTENDED)('reads and rolls what this one has rolled after a day: %s', async (name) => {
    const age = DAY + 1
    const at = CAPTURED_AT + age * 1000
    const rolled = { ...frozen, at, cases: { [name]: await roll(current, frozen, name, age) } }
    await expect(checkCase({ library, frozen: rolled, name, age })).resolves.toBeUndefined()
  })

  describe.each(IN_PROCESS)('%s', (dialect) => {
    test.each(['jwt', 'revocable', 'database', 'hashed'] as const)(
      'shares the database of site "%s" with this one for 200 requests, of which one begins and the other finishes',
      async (name) => {
        await shareRequests(name, dialect, [library, current])
      },
    )
  })
})
