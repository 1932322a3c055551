/** What the repository knows of the releases whose data is frozen. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const git = (folder: string, ...args: string[]) =>
  spawnSync('git', args, { cwd: folder, encoding: 'utf8' })

/** The commit of a release; `undefined`, and the reason is printed, if the checkout has only a part of the history. */
export function findCommit(commit: string, folder = ROOT): string | undefined {
  if (git(folder, 'cat-file', '-e', `${commit}^{commit}`).status === 0) return commit
  const isShallow = git(folder, 'rev-parse', '--is-shallow-repository').stdout?.trim()
  const problem = `The commit ${commit} of the frozen release is not here`
  if (isShallow === 'false')
    throw new Error(`${problem}, although the history is complete. Run: git fetch --tags`)
  const reason =
    isShallow === 'true'
      ? 'the clone is shallow. Run: git fetch --unshallow'
      : 'the folder is no git repository.'
  console.warn(`${problem}, so its tests are skipped: ${reason}`)
  return undefined
}

/** The frozen files that differ from those at the tag of the release; `null` without a tag. */
export function changedSinceTag(version: string, folder = ROOT): readonly string[] | null {
  const tag = `refs/tags/v${version}`
  if (git(folder, 'rev-parse', '--verify', '--quiet', tag).status !== 0) return null
  const path = `test/upgrade/${version}`
  const { status, stdout, stderr } = git(folder, 'diff', '--name-only', tag, '--', path)
  if (status !== 0) throw new Error(stderr)
  return stdout.split('\n').filter(Boolean)
}
